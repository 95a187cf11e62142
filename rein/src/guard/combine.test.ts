import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { combine, MOST_CHANGES, type NamedAnswer, type Situation } from "./combine.ts";

const calm: Situation = {
  approved: false,
  canAsk: true,
  changes: 0,
  ungranted: () => "Nobody allows it.",
  floor: () => null,
};

const says = (answer: "deny" | "ask" | "allow", policy: string = answer, grants = true): NamedAnswer => ({
  policy,
  grants,
  answer: { answer, reason: `${policy} says so.` },
});
const changes = (policy = "modifier"): NamedAnswer => ({
  policy,
  grants: false,
  answer: { answer: "modify", reason: "safer so.", input: { dry: true } },
});

describe("combine", () => {
  it("allows what a granting policy allows", () => {
    expect(combine([says("allow", "rules")], calm)).toEqual({
      decision: "allow",
      policy: "rules",
      reason: "rules says so.",
    });
  });

  it("asks when nobody grants, and denies when there is nobody to ask", () => {
    expect(combine([], calm)).toEqual({ decision: "ask", policy: "no-grant", reason: "Nobody allows it." });
    expect(combine([says("allow", "hook", false)], { ...calm, canAsk: false })).toEqual({
      decision: "deny",
      policy: "no-grant",
      reason: "Nobody allows it. Nobody can be asked in this session.",
    });
  });

  it("lets an explicit ask stand against an allow, and denies it when there is nobody to ask", () => {
    const answers = [says("allow"), says("ask", "own-ask")];
    expect(combine(answers, calm)).toMatchObject({ decision: "ask", policy: "own-ask" });
    expect(combine(answers, { ...calm, canAsk: false })).toMatchObject({ decision: "deny", policy: "own-ask" });
    expect(combine(answers, { ...calm, approved: true })).toMatchObject({ decision: "allow", policy: "approval" });
  });

  it("has a changed call judged anew three times, then denies it", () => {
    for (let round = 0; round < MOST_CHANGES; round++) {
      expect(combine([says("allow"), changes()], { ...calm, changes: round })).toEqual({
        decision: "modify",
        policy: "modifier",
        reason: "safer so.",
        input: { dry: true },
      });
    }
    expect(combine([says("allow"), changes()], { ...calm, changes: 3, approved: true })).toEqual({
      decision: "deny",
      policy: "modifier",
      reason: "The arguments were changed 3 times and would be changed again: safer so.",
    });
  });

  it("asks the floor last, about what will run, and nothing lifts it", () => {
    const floor = () => "it deletes the root";
    expect(combine([says("allow")], { ...calm, approved: true, floor })).toEqual({
      decision: "deny",
      policy: "floor",
      reason: "it deletes the root",
    });
    // Not about a call that will not run as it is.
    expect(combine([changes()], { ...calm, floor })).toMatchObject({ decision: "modify" });
  });
});

describe("combine, for any answers", () => {
  const decisive = fc.constantFrom<"deny" | "ask" | "allow">("deny", "ask", "allow");
  const plain = fc
    .tuple(decisive, fc.string(), fc.boolean())
    .map(([answer, policy, grants]) => says(answer, policy, grants));
  const any = fc.oneof(plain, plain, plain, fc.string().map(changes));
  const situation = fc
    .record({ approved: fc.boolean(), canAsk: fc.boolean(), changes: fc.nat(5), floor: fc.option(fc.constant("no")) })
    .map((made) => ({ ...made, ungranted: () => "nobody", floor: () => made.floor }));
  const strictness = { allow: 0, ask: 1, modify: 2, deny: 3 } as const;
  const has = (answers: readonly NamedAnswer[], kind: string) => answers.some(({ answer }) => answer.answer === kind);

  it("any deny wins", () => {
    fc.assert(
      fc.property(fc.array(any), fc.array(any), situation, (before, after, given) => {
        expect(combine([...before, says("deny", "x"), ...after], given).decision).toBe("deny");
      }),
    );
  });

  it("never runs what the floor denies", () => {
    fc.assert(
      fc.property(fc.array(any), situation, (answers, given) => {
        const { decision } = combine(answers, { ...given, floor: () => "no" });
        expect(decision === "deny" || decision === "modify").toBe(true);
      }),
    );
  });

  it("allows only by an approval, or by a grant that nobody questions", () => {
    fc.assert(
      fc.property(fc.array(any), situation, (answers, given) => {
        if (combine(answers, given).decision !== "allow") return;
        const granted = answers.some(({ answer, grants }) => grants && answer.answer === "allow");
        expect(given.approved || (granted && !has(answers, "ask"))).toBe(true);
        expect(has(answers, "deny") || has(answers, "modify") || given.floor() !== null).toBe(false);
      }),
    );
  });

  it("asks only where somebody can be asked and has not approved yet", () => {
    fc.assert(
      fc.property(fc.array(any), situation, (answers, given) => {
        if (combine(answers, given).decision === "ask") expect(given.canAsk && !given.approved).toBe(true);
      }),
    );
  });

  it("changes a call at most three times", () => {
    fc.assert(
      fc.property(fc.array(any), situation, (answers, given) => {
        if (combine(answers, given).decision === "modify") expect(given.changes).toBeLessThan(3);
      }),
    );
  });

  it("decides the same in whatever order the answers come", () => {
    const shuffled = fc
      .array(any)
      .chain((answers) => fc.tuple(fc.constant(answers), fc.shuffledSubarray(answers, { minLength: answers.length })));
    fc.assert(
      fc.property(shuffled, situation, ([answers, other], given) => {
        expect(combine(other, given).decision).toBe(combine(answers, given).decision);
      }),
    );
  });

  it("never becomes laxer by one more deny, ask or change", () => {
    const restriction = fc.oneof(fc.constantFrom(says("deny"), says("ask")), fc.constant(changes()));
    fc.assert(
      fc.property(fc.array(any), restriction, situation, (answers, more, given) => {
        const before = combine(answers, given).decision;
        const after = combine([...answers, more], given).decision;
        expect(strictness[after] >= strictness[before] || after === "modify").toBe(true);
      }),
    );
  });
});
