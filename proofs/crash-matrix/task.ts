/** The scripted task: reads, writes, own tools and commands side by side, with grandchildren that go on writing. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelRequest, type ScriptedStep, type Tool, tool, toolFailure } from "rein";

/** What the session is asked. */
export const TASK = "Do the four steps.";
export const FOLLOW_UP = "What was done?";

/** Where each effect leaves its own token when it happens; one that stands here twice happened twice. */
export const JOURNAL = "journal";

/** The streamed text of the first message; long enough to be kept more than once before it ends. */
const OPENING = Array.from({ length: 40 }, (_, index) => `Sentence ${index + 1} of the plan. `).join("");
const CHUNK = 24;

/** The files to which grandchildren of a tool go on writing. */
export const TICKS: Readonly<Record<string, readonly string[]>> = {
  job: ["ticks.group", "ticks.session", "ticks.orphan"],
  shell: ["ticks.stubborn"],
};

/** A process that writes a line to `file` until it is ended. */
const ticking = (file: string): string => `sh -c 'while :; do echo x >> ${file}; sleep 0.05; done' >/dev/null 2>&1 &`;

/**
 * Three that go on writing: a grandchild in the group, one that left it by `setsid`, and one that left it twice, so that nobody it descends from lives.
 */
const JOB = [
  "echo job >> journal",
  ticking("ticks.group"),
  `setsid ${ticking("ticks.session")}`,
  `(setsid sh -c 'setsid ${ticking("ticks.orphan").replaceAll("'", "'\\''")}') >/dev/null 2>&1 &`,
  ": > job.up",
  "sleep 0.3",
].join("\n");

/**
 * The leader ends at once. Where the file `linger` is, somebody stays who holds its output open and does not listen to TERM: the hands first wait for
 * him, then tell him, then kill him. (He says nothing: a shell that reports to a broken pipe would die of that.)
 */
const COMMAND = [
  "echo shell >> journal",
  `[ -e linger ] && sh -c 'trap ": > term.sent" TERM; while :; do echo x >> ticks.stubborn; sleep 0.05; done' 2>/dev/null &`,
  ": > shell.leaving",
].join("\n");

const call = (name: string, input: Record<string, string>) => ({ name, input });

/** What the model says at each step, and its calls. */
const STEPS: readonly ScriptedStep[] = [
  {
    text: OPENING,
    chunk: CHUNK,
    calls: [
      call("read", { path: "a.txt" }),
      call("note", { name: "one" }),
      call("read", { path: "b.txt" }),
      call("note", { name: "two" }),
    ],
  },
  {
    calls: [
      call("write", { path: "out/one.txt", content: "one\n" }),
      call("read", { path: "c.txt" }),
      call("write", { path: "out/two.txt", content: "two\n" }),
    ],
  },
  {
    text: "Now the job, beside other work.",
    calls: [
      call("job", { command: JOB }),
      call("read", { path: "a.txt" }),
      call("write", { path: "out/three.txt", content: "three\n" }),
      call("note", { name: "three" }),
    ],
  },
  { calls: [call("read", { path: "b.txt" }), call("shell", { command: COMMAND }), call("note", { name: "four" })] },
];

/** Tokens of all effects; each may stand in the journal once at most, and does where its call ended well. */
export const TOKENS: Readonly<Record<string, string>> = {
  [tokenKey("note", { name: "one" })]: "note one",
  [tokenKey("note", { name: "two" })]: "note two",
  [tokenKey("note", { name: "three" })]: "note three",
  [tokenKey("note", { name: "four" })]: "note four",
  [tokenKey("write", { path: "out/one.txt", content: "one\n" })]: "write out/one.txt",
  [tokenKey("write", { path: "out/two.txt", content: "two\n" })]: "write out/two.txt",
  [tokenKey("write", { path: "out/three.txt", content: "three\n" })]: "write out/three.txt",
  [tokenKey("job", { command: JOB })]: "job",
  [tokenKey("shell", { command: COMMAND })]: "shell",
};

/** Names a call by what it does. */
export function tokenKey(name: string, input: unknown): string {
  return `${name} ${JSON.stringify(input)}`;
}

/** The next step: a function of the conversation and nothing else, so that any process goes on where another stopped. */
export function nextStep({ messages }: ModelRequest): ScriptedStep {
  const done = messages.filter(({ role }) => role === "tool").length;
  const step = STEPS[done];
  if (step !== undefined) return step;
  const asked = messages.at(-1)?.content.some((block) => block.type === "text" && block.text === FOLLOW_UP);
  return { text: asked === true ? "All of it stands above." : "All done." };
}

/** Rules under which nobody needs to be asked. */
export const ALLOW = ["note", "job", "Write(out/**)", "Bash"];

/** What a tool of the task is told of: the moments in which its process may die. */
export interface Moments {
  readonly note: (name: string, side: "before" | "after") => void;
}

/** The task's own tools: one that leaves a token, one that runs a command beside other calls. */
export function taskTools(folder: string, moments: Moments): readonly Tool[] {
  return [
    tool({
      name: "note",
      description: "Keeps a note.",
      access: "public",
      input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      effects: ({ name }) => [{ kind: "state", what: `note ${name}` }],
      run: async ({ name }) => {
        await Promise.resolve();
        moments.note(name, "before");
        appendFileSync(join(folder, JOURNAL), `note ${name}\n`);
        moments.note(name, "after");
        return `Noted ${name}.`;
      },
    }),
    tool({
      name: "job",
      description: "Runs a command while other calls run.",
      access: "trusted",
      input: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
      effects: ({ command }, scope) => [{ kind: "execute", command, cwd: scope.folder }],
      accesses: () => [{ resource: "job", write: true }],
      run: async ({ command }, { hands }) => {
        const ran = await hands.execute(command);
        return ran.ok ? `exit code ${ran.value.exitCode}` : toolFailure(ran.error);
      },
    }),
  ];
}
