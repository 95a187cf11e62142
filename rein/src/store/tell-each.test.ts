import { afterEach, expect, it, vi } from "vitest";
import { tellEach } from "./tell-each.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

it("tells the others what one throws on, and throws that in a microtask", () => {
  const tasks: (() => void)[] = [];
  vi.stubGlobal("queueMicrotask", (task: () => void) => tasks.push(task));
  const heard: string[] = [];
  const throws = (): void => {
    throw new Error("Mine.");
  };
  tellEach(new Set([throws, (change: string) => heard.push(change)]), "append");
  expect(heard).toEqual(["append"]);
  expect(tasks).toHaveLength(1);
  expect(() => tasks[0]?.()).toThrow("Mine.");
});

it("does not tell who stopped to listen meanwhile", () => {
  const heard: string[] = [];
  const second = (change: string): void => void heard.push(`second ${change}`);
  const listeners = new Set([
    (change: string): void => {
      heard.push(`first ${change}`);
      listeners.delete(second);
    },
    second,
  ]);
  tellEach(listeners, "append");
  expect(heard).toEqual(["first append"]);
});
