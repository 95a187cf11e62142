import { isKernelEvent, type KernelEvent } from "../../../session/index.ts";
import type { EffectNote, Invariant, Recording } from "../recording.ts";

/** What was denied, cut or never begun has no effect; what had to be asked about has one only behind a person's yes to exactly that. */
export const consent: Invariant = {
  name: "consent",
  check(recording) {
    const faults: string[] = [];
    for (const { session, events, base } of recording.sessions) {
      const own = events.slice(base).filter(isKernelEvent);
      const effects = recording.effects.filter((effect) => effect.session === session);
      for (const effect of effects) {
        const fault = faultOf(effect, own);
        if (fault !== null) faults.push(`${session} ${effect.call}: ${fault}`);
      }
      faults.push(...wrongAnswers(recording, session, own));
    }
    return faults;
  },
};

function faultOf({ call }: EffectNote, events: readonly KernelEvent[]): string | null {
  const about = events.filter((event) => "call" in event.data && event.data.call === call);
  const judged = about.find((event) => event.type === "call.judged");
  if (judged?.type !== "call.judged") return "it took effect unjudged.";
  const started = about.find((event) => event.type === "tool.started");
  const ended = about.find((event) => event.type === "tool.finished");
  if (started === undefined)
    return `it took effect and was never begun${ended?.type === "tool.finished" ? `; the model was told: ${ended.data.outcome}` : ""}.`;
  if (ended?.type === "tool.finished" && (ended.data.outcome === "denied" || ended.data.outcome === "cancelled"))
    return `it took effect and the model was told: ${ended.data.outcome}.`;
  if (judged.data.decision === "allow") return null;
  if (judged.data.decision === "deny") return "it was denied and took effect.";
  const yes = about.some(
    (event) =>
      event.type === "approval.answered" &&
      event.data.answer === "approve" &&
      event.data.digest === judged.data.digest &&
      event.seq < started.seq,
  );
  return yes ? null : "it began without a person's yes.";
}

/** Answers that count although they name another call's digest. */
function wrongAnswers({ commands }: Recording, session: string, events: readonly KernelEvent[]): readonly string[] {
  const faults: string[] = [];
  for (const event of events) {
    if (event.type !== "approval.answered") continue;
    const sent = commands.find(
      ({ commandId, session: to }) => to === session && commandId === event.data.commandId,
    )?.command;
    if (sent === undefined || sent === null || (sent.kind !== "approve" && sent.kind !== "deny")) continue;
    if (sent.call !== event.data.call || (sent.digest !== undefined && sent.digest !== event.data.digest)) {
      faults.push(`${session} event ${event.seq}: an answer to another call counts for ${event.data.call}.`);
    }
  }
  return faults;
}
