import { Command, CommanderError } from "commander";
import pkg from "../package.json" with { type: "json" };
import { type CommandContext, createContext } from "./command-context.ts";
import { EXIT } from "./exit-code.ts";
import type { Output } from "./output.ts";
import { reportError } from "./report-error.ts";

/** Adds a command's arguments, options and action. */
export type DefineCommand = (command: Command, context: CommandContext) => void;

/** The commands. Each is loaded when it is chosen, so that the others cost nothing. */
const COMMANDS: readonly {
  readonly name: string;
  readonly about: string;
  readonly load: () => Promise<DefineCommand>;
}[] = [
  { name: "run", about: "Give an agent a task.", load: async () => (await import("./commands/run.ts")).defineRun },
  {
    name: "resume",
    about: "Go on with a session.",
    load: async () => (await import("./commands/resume.ts")).defineResume,
  },
  {
    name: "send",
    about: "Steer a session, answer it, or end it.",
    load: async () => (await import("./commands/send.ts")).defineSend,
  },
  {
    name: "sessions",
    about: "List the sessions.",
    load: async () => (await import("./commands/sessions.ts")).defineSessions,
  },
  {
    name: "show",
    about: "Show what was said and done.",
    load: async () => (await import("./commands/show.ts")).defineShow,
  },
  {
    name: "log",
    about: "Show the events of a session.",
    load: async () => (await import("./commands/log.ts")).defineLog,
  },
  {
    name: "verify",
    about: "Check that nothing was lost or changed.",
    load: async () => (await import("./commands/verify.ts")).defineVerify,
  },
  {
    name: "export",
    about: "Write a session to a file.",
    load: async () => (await import("./commands/export.ts")).defineExport,
  },
  {
    name: "import",
    about: "Take a session in from a file.",
    load: async () => (await import("./commands/import.ts")).defineImport,
  },
  {
    name: "fork",
    about: "Make a session that goes on from a place of another.",
    load: async () => (await import("./commands/fork.ts")).defineFork,
  },
  {
    name: "erase",
    about: "Erase the data of an event, for good.",
    load: async () => (await import("./commands/erase.ts")).defineErase,
  },
];

const EXIT_CODES =
  "\nExit codes: 0 done, 1 failed, 2 wrong use, 3 stopped by a limit, 4 waiting for a person, 130 interrupted.";

/** Runs the command line and gives the exit code. Whatever goes wrong is said in one line; `REIN_DEBUG=1` shows where. */
export async function runProgram(args: readonly string[], output: Output): Promise<number> {
  const program = new Command("rein");
  let exitCode: number = EXIT.done;
  const given = (): string | undefined => program.opts<{ store?: string }>().store;
  const context = createContext(output, given, (code) => {
    exitCode = code;
  });
  program
    .description("An agent harness: a model proposes, Rein decides what may run, runs it, and remembers it.")
    .version(pkg.version, "-V, --version", "Print the version.")
    .helpOption("-h, --help", "Print help.")
    .option(
      "--store <path>",
      "File that keeps the sessions (default: sessions.db in $REIN_HOME, else in your data folder).",
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.text(text),
      writeErr: (text) => output.note(text.trimEnd()),
      outputError: () => undefined,
    })
    .addHelpText("after", EXIT_CODES);
  try {
    for (const { name, about, load } of COMMANDS) {
      const command = program.command(name).description(about);
      if (args.includes(name)) (await load())(command, context);
    }
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return EXIT.done;
    // No command at all: the help has been shown.
    if (thrown instanceof CommanderError && thrown.code === "commander.help") return EXIT.wrongUse;
    return reportError(thrown, output, COMMANDS.find(({ name }) => args.includes(name))?.name);
  }
}
