/** What must hold after every scenario, whatever was in the air: a sentence for each thing that does not. */

import { textOf } from "rein";
import type { LoggedEvent } from "../shared/read-log.ts";
import { prefixFaults, requestFaults } from "../shared/request-faults.ts";
import { type CallStory, callsOf } from "./call-stories.ts";
import type { DeadLife, Played } from "./records.ts";
import { TICKS, TOKENS } from "./task.ts";

/** Milliseconds of streamed text that a crash may take. Source: docs/architecture.md, *Streaming*. */
const LOSABLE = 250;
/** Milliseconds by which a timer may count from an older look at the clock. */
const TIMER = 15;

/** All faults of a scenario that was played. */
export function faultsOf(record: Played): readonly string[] {
  const stories = callsOf(record.log.events);
  return [
    ...notProven(record),
    ...lostEvents(record),
    ...badEnd(record),
    ...effects(record, stories),
    ...calls(stories),
    ...survivors(record, stories),
    ...keptResults(record, stories),
    ...streamedText(record),
    ...record.requests.flatMap(requestFaults),
    ...prefixFaults(record.requests),
  ];
}

/** The point was not where the scenario says: then it proves nothing. */
function notProven({ scenario: { interrupts }, dead }: Played): readonly string[] {
  const [first] = dead;
  if (first === undefined || interrupts === undefined) return [];
  const { events } = first.log;
  const open = callsOf(events).flatMap(({ name, lives }) => (lives.at(-1)?.ended === null ? [name] : []));
  const faults = (interrupts.calls ?? [])
    .filter((name) => !open.includes(name))
    .map((name) => `No ${name} was under way.`);
  if (interrupts.survivors === true && first.survivors.length === 0) faults.push("Nobody outlived the first life.");
  if (interrupts.message === true && !isAsking(events)) faults.push("No message was being streamed.");
  return faults;
}

function isAsking(events: readonly LoggedEvent[]): boolean {
  return events.findLast(({ type }) => type.startsWith("model."))?.type === "model.requested";
}

/** What was in the log, or was said to be, is in it as it was; and nobody was killed without its wake being told. */
function lostEvents({ dead, log, told }: Played): readonly string[] {
  const faults: string[] = [];
  for (const [index, { log: before }] of dead.entries()) {
    for (const [place, event] of before.stored.entries()) {
      if (JSON.stringify(event) !== JSON.stringify(log.stored[place])) {
        faults.push(`Event ${event.seq} (${event.type}) of life ${index + 1} is not in the log as it was.`);
      }
    }
    const life = index + 1;
    const promised = told.flatMap((line) => (line.life === life && line.what === "has" ? [line.seq ?? 0] : []));
    const newest = Math.max(0, ...promised);
    if (before.stored.length < newest) {
      faults.push(`Life ${life} was told that event ${newest} is in the log, which ends with ${before.stored.length}.`);
    }
  }
  return faults;
}

function badEnd({ end, log }: Played): readonly string[] {
  const faults = [...end.findings];
  const ended = log.events.filter(({ type }) => type === "run.ended").map(({ data }) => data.reason);
  if (ended.join() !== "done,done") faults.push(`The runs ended as ${ended}.`);
  // A life that finds the run at its end has nothing to go on with.
  if (end.reasons.some((reason) => reason !== "done" && reason !== "idle"))
    faults.push(`The last life saw the runs end as ${end.reasons}.`);
  const last = JSON.stringify(log.events.findLast(({ type }) => type === "model.responded")?.data.content);
  if (last !== JSON.stringify([{ type: "text", text: "All of it stands above." }]))
    faults.push(`The last message is ${last}.`);
  if (end.alive.length > 0) faults.push(`Still alive at the end: ${end.alive.join("; ")}`);
  return faults;
}

/** Each effect at most once; once and whole where its call is said to have ended well; never where it never began. */
function effects({ end, written }: Played, stories: readonly CallStory[]): readonly string[] {
  const faults: string[] = [];
  for (const [key, token] of Object.entries(TOKENS)) {
    const times = end.journal.filter((line) => line === token || line === JSON.stringify(token)).length;
    const story = stories.find((call) => call.key === key);
    if (story === undefined) faults.push(`The call for "${token}" was not made.`);
    if (times > 1) faults.push(`"${token}" happened ${times} times.`);
    if (story?.outcome === "ok" && times !== 1) faults.push(`"${token}" ended well and happened ${times} times.`);
    if (story?.lives.length === 0 && times > 0) faults.push(`"${token}" happened and its call had not begun.`);
  }
  for (const name of ["one", "two", "three"]) {
    const text = written[`${name}.txt`];
    const done = stories.some(
      ({ name: tool, key, outcome }) => tool === "write" && key.includes(`${name}.txt`) && outcome === "ok",
    );
    if (text === undefined ? done : text !== name) faults.push(`${name}.txt holds ${JSON.stringify(text)}.`);
  }
  return faults;
}

/** A read that was cut runs again; whatever else was cut is closed as unknown; what had not begun runs; all have one result. */
function calls(stories: readonly CallStory[]): readonly string[] {
  const faults: string[] = [];
  for (const { call, name, lives, outcome, text, results } of stories) {
    const cut = lives.filter((life) => life.ended === null);
    const wanted = cut.length === 0 || name === "read" ? "ok" : "unknown";
    if (results !== 1) faults.push(`${name} ${call} has ${results} results.`);
    if (outcome !== wanted)
      faults.push(
        `${name} ${call} began in ${lives.length} lives, was cut in ${cut.length} and ended as ${outcome}: ${text}`,
      );
    if (name !== "read" && lives.length > 1) faults.push(`${name} ${call} began ${lives.length} times.`);
    if (name === "read" && lives.length !== cut.length + 1)
      faults.push(`read ${call} was cut ${cut.length} times and began ${lives.length} times.`);
    if (
      outcome === "unknown" &&
      !text.includes("its outcome is unknown: check whether it took effect before you repeat it")
    ) {
      faults.push(`${name} ${call} is closed as unknown with the words: ${text}`);
    }
    if (outcome === "ok" && name === "read" && !text.includes("as it was")) faults.push(`read ${call} gave: ${text}`);
  }
  return faults;
}

/** When a call was closed as unknown, none of its processes was alive, and none of them wrote any more. */
function survivors({ closings, end, log }: Played, stories: readonly CallStory[]): readonly string[] {
  const faults: string[] = [];
  for (const { call, alive, ticks } of closings) {
    const own = log.events.flatMap(({ type, data }) =>
      type === "process.started" && data.call === call ? [String(data.mark)] : [],
    );
    const left = alive.filter(({ marks }) => marks.some((mark) => own.includes(mark)));
    if (left.length > 0)
      faults.push(`When ${call} was closed, these were alive: ${left.map(({ command }) => command).join("; ")}`);
    const name = stories.find((story) => story.call === call)?.name ?? "";
    for (const file of TICKS[name] ?? []) {
      if (ticks[file] !== end.ticks.after[file]) faults.push(`Somebody wrote to ${file} after ${call} was closed.`);
    }
  }
  if (JSON.stringify(end.ticks.after) !== JSON.stringify(end.ticks.before))
    faults.push("Somebody still wrote at the end.");
  return faults;
}

/** What had ended before a death stands in the last request as it had ended, whatever became of the calls beside it. */
function keptResults({ dead, requests }: Played, stories: readonly CallStory[]): readonly string[] {
  const shown = new Map<string, string>();
  for (const { content } of requests.at(-1)?.messages ?? []) {
    for (const block of content) if (block.type === "tool_result") shown.set(block.id, JSON.stringify(block.content));
  }
  return dead.flatMap(({ log }: DeadLife) =>
    log.events.flatMap(({ type, data }) => {
      if (type !== "tool.finished") return [];
      const story = stories.find(({ call }) => call === data.call);
      const kept = story !== undefined && shown.get(story.id) === JSON.stringify(data.content);
      return kept ? [] : [`The result of ${data.call} is not in the last request as it was.`];
    }),
  );
}

/** Of the text that was streamed before a death, at most the last 250 ms are missing. */
function streamedText({ dead, log, told, streamed, requests }: Played): readonly string[] {
  const faults: string[] = [];
  for (const [index, { log: before }] of dead.entries()) {
    const life = index + 1;
    const death = told.find((line) => line.life === life && line.what === "dies");
    if (!isAsking(before.events) || death?.what !== "dies") continue;
    const interrupted = log.events.slice(before.events.length).find(({ type }) => type === "model.interrupted");
    if (interrupted === undefined) {
      faults.push(`The message that was on its way when life ${life} ended is not told of.`);
      continue;
    }
    const asked = before.events.findLast(({ type }) => type === "model.requested")?.data;
    const pieces = streamed.filter(({ message }) => message === `${asked?.turn}.${asked?.attempt}`);
    const kept = String(interrupted.data.text);
    const all = pieces.map(({ text }) => text).join("");
    if (!all.startsWith(kept)) faults.push(`What is kept was not streamed before life ${life} ended: ${kept}`);
    const shown = requests
      .at(-1)
      ?.messages.some(({ role, content }) => role === "assistant" && textOf(content) === kept.trimEnd());
    if (kept.trim() !== "" && shown !== true) faults.push(`What is kept of life ${life} is not in the last request.`);
    // Timers that are due come late in their order, so what a loaded machine held up counts from when it was due.
    const newest = death.at - death.late - LOSABLE - TIMER;
    const must = pieces.filter((piece) => piece.life === life && piece.at <= newest).map(({ text }) => text);
    if (kept.length < must.join("").length) {
      faults.push(
        `Of life ${life} ${kept.length} characters are kept; ${must.join("").length} were older than ${LOSABLE} ms.`,
      );
    }
  }
  return faults;
}
