import { expect, it } from "vitest";
import { ok, type Result, reinError } from "../errors.ts";
import { Mailbox } from "./mailbox.ts";

const clock = { monotonic: () => 0 };
const event = { type: "x.test", data: {} };

it("believes at first that commands wait, until somebody has looked", () => {
  const mailbox = new Mailbox();
  expect(mailbox.empty).toBe(false);
  expect(mailbox.takeNotice()).toBe(true);
  expect(mailbox.empty).toBe(true);
  expect(mailbox.takeNotice()).toBe(false);
});

it("gives its mail once, in the order it came", () => {
  const mailbox = new Mailbox();
  mailbox.post({ events: [event] });
  mailbox.post({ events: [] });
  expect(mailbox.take()).toEqual([{ events: [event] }, { events: [] }]);
  expect(mailbox.take()).toEqual([]);
});

it.each([
  ["mail", (mailbox: Mailbox) => mailbox.post({ events: [event] })],
  ["a notice of commands", (mailbox: Mailbox) => mailbox.noticeCommands()],
  ["a stir", (mailbox: Mailbox) => mailbox.stir()],
])("wakes who waits by %s", async (_name, wake) => {
  const mailbox = new Mailbox();
  const next = mailbox.next(clock);
  wake(mailbox);
  await expect(next).resolves.toBeUndefined();
});

it("answers everybody who waits for a commit when it is closed, and who comes later", () => {
  const mailbox = new Mailbox();
  const results: Result<void>[] = [ok(undefined)];
  const done = (result: Result<void>): void => void results.push(result);
  const error = reinError("lease_lost", "Gone.", "Open it again.");
  mailbox.post({ events: [event], done });
  mailbox.close(error);
  mailbox.post({ events: [event], done });
  expect(results.slice(1)).toEqual([
    { ok: false, error },
    { ok: false, error },
  ]);
  expect(mailbox.take()).toEqual([]);
});

it("gives others their turn when it has gone on for long, news or not, and only then", async () => {
  let now = 0;
  let turns = 0;
  const breathe = async (): Promise<void> => {
    turns += 1;
  };
  const busy = { monotonic: () => now, breathe };
  const mailbox = new Mailbox();
  const pass = async (ms: number): Promise<number> => {
    now += ms;
    await mailbox.next(busy);
    return turns;
  };
  expect([await pass(0), await pass(20), await pass(5), await pass(24), await pass(1)]).toEqual([0, 0, 1, 1, 2]);
  mailbox.takeNotice();
  expect(await pass(25)).toBe(3);
});
