import { expect, it } from "vitest";
import { initialKernelState, type Rule, type State } from "../session/index.ts";
import { decide } from "./decide.ts";

const state: State = { kernel: initialKernelState("s"), slices: {} };
const rule = (name: string, decision: ReturnType<Rule["decide"]>): Rule => ({ name, decide: () => decision });
const effect = (id: string) => ({ id, kind: "k", input: {} });

it("gathers what the rules want, in their order", () => {
  const rules = [
    rule("a", { want: [effect("1")], hold: false }),
    rule("b", undefined),
    rule("c", { want: [effect("2"), effect("3")], hold: false }),
  ];
  expect(decide(rules, state)).toEqual({ want: [effect("1"), effect("2"), effect("3")], end: null });
});

it("asks nobody behind a rule that holds", () => {
  const rules = [rule("a", { want: [effect("1")], hold: true }), rule("b", { want: [effect("2")], hold: false })];
  expect(decide(rules, state)).toEqual({ want: [effect("1")], end: null });
});

it("ends where a rule ends, with its error", () => {
  const error = { class: "permanent", code: "internal", message: "m", hint: "h" } as const;
  const rules = [rule("a", { end: "failed", error }), rule("b", { want: [effect("2")], hold: false })];
  expect(decide(rules, state)).toEqual({ want: [], end: { reason: "failed", error } });
});

it("names an effect that two rules want once", () => {
  const rules = [rule("a", { want: [effect("1")], hold: false }), rule("b", { want: [effect("1")], hold: false })];
  expect(decide(rules, state).want).toEqual([effect("1")]);
});

it("wants nothing where no rule speaks", () => {
  expect(decide([], state)).toEqual({ want: [], end: null });
});
