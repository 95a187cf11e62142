import { expect, it } from "vitest";
import type { OpenCall } from "../../session/index.ts";
import { closingText } from "./closing-text.ts";

const call: OpenCall = {
  call: "8.0",
  name: "act",
  status: "judged",
  judgement: null,
  judged: 9,
  attempt: 0,
  cut: false,
  processes: [],
  approved: null,
  asked: null,
  refused: false,
  answered: null,
  outcome: null,
  result: null,
};

const judged = {
  call: "8.0",
  decision: "deny",
  policy: "floor",
  reason: "Nobody writes to /etc.",
  digest: "",
  effects: [],
  readOnly: false,
  recover: "never",
  accesses: [],
} as const;
const answered = { commandId: "c", call: "8.0", digest: "", answer: "deny", note: "not now" } as const;

it.each([
  ["a denied call", call, "denied", { judged }, "act: denied. Nobody writes to /etc."],
  ["a denied call whose reason is gone", call, "denied", {}, "act: denied. It is not allowed here. Find another way."],
  [
    "a refused call",
    { ...call, refused: true },
    "denied",
    { judged, answered },
    "act: denied. A person said no to this call. They said: not now Do not repeat it; find another way or ask what they want.",
  ],
  [
    "a call nobody can be asked about",
    { ...call, status: "asking" },
    "denied",
    { judged },
    "act: denied. It needs a person's permission and nobody can be asked. Find another way, and say what you could not do.",
  ],
  [
    "a cut call",
    call,
    "cancelled",
    {},
    "act: cut. The message was cut by the output limit, so this call was not run. Make it again, in a shorter message.",
  ],
  [
    "a call of unknown outcome",
    call,
    "unknown",
    { note: "Process 7 lives." },
    "act: outcome_unknown. The process that ran this call died, so its outcome is unknown: check whether it took effect before you repeat it. Process 7 lives.",
  ],
  [
    "a call that could not be judged",
    call,
    "error",
    {},
    "act: not_judged. Whether it may run could not be found out, so it was not run. Find another way, or say so.",
  ],
  [
    "an interrupted call",
    call,
    "interrupted",
    {},
    "act: interrupted. It was interrupted before it ran; it had no effect. Do it again only if it is still wanted.",
  ],
] as const)("names tool, kind, what happened and what to try of %s", (_name, open, outcome, reasons, text) => {
  expect(closingText(open, outcome, reasons)).toMatchObject({ outcome, content: [{ type: "text", text }] });
});
