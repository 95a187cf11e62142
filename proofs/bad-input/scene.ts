/** What the tests of bad input share: a workspace, an agent on a real store, and a look at what it asked and kept. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AgentOptions,
  createAgent,
  createScriptedModel,
  type JsonObject,
  type RunResult,
  type ScriptedModel,
  type ScriptedStep,
  type ToolResultBlock,
  textOf,
} from "rein";
import { onTestFinished } from "vitest";
import { type ReadLog, readLog } from "../shared/read-log.ts";

/** A folder for one test, with a workspace and something outside it that nobody may reach. */
export class Scene {
  readonly folder = mkdtempSync(join(tmpdir(), "rein-bad-input-"));
  readonly work = join(this.folder, "work");
  readonly outside = join(this.folder, "outside");
  readonly path = join(this.folder, "sessions.db");

  constructor() {
    mkdirSync(this.work);
    mkdirSync(this.outside);
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  /** Runs a task to its end and closes all. A script is played from its start; the same session goes on where it exists. */
  async run(
    script: readonly ScriptedStep[],
    options: Partial<AgentOptions> & { readonly input?: string } = {},
  ): Promise<Ran> {
    const { input = "Go.", ...rest } = options;
    const model = createScriptedModel(script);
    const agent = createAgent({ model, store: { path: this.path }, folder: this.work, ...rest });
    try {
      const result = await agent.complete(input, { session: "s" });
      return { result, model };
    } finally {
      await agent.close();
    }
  }

  /** What each call came to, each made in a message of its own, by its place. */
  async results(calls: readonly ToolCall[], options: Partial<AgentOptions> = {}): Promise<readonly CallEnd[]> {
    const { model } = await this.run([...calls.map((call) => ({ calls: [call] })), { text: "Done." }], options);
    return resultsOf(model);
  }

  /** The log, read from the file. */
  log(): Promise<ReadLog> {
    return readLog(this.path, "s");
  }
}

/** A call of a script. */
export interface ToolCall {
  readonly name: string;
  readonly input: JsonObject;
}

/** A run and what its model saw. */
export interface Ran {
  readonly result: RunResult;
  readonly model: ScriptedModel;
}

/** What a call came to, as the model was told. */
export interface CallEnd {
  /** `ok`, or the type of the error. */
  readonly end: string;
  readonly text: string;
}

/** The results in the last request of a model. */
export function resultsOf(model: ScriptedModel): readonly CallEnd[] {
  const blocks = model.requests.at(-1)?.messages.flatMap(({ content }) => content) ?? [];
  return blocks
    .filter((block): block is ToolResultBlock => block.type === "tool_result")
    .map(({ content, isError, errorType }) => ({
      end: isError ? (errorType ?? "error") : "ok",
      text: textOf(content),
    }));
}
