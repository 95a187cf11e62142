import type { Rule } from "../../session/part.ts";
import { end } from "../answers.ts";

/** Nothing is left to do. */
export const done: Rule = { name: "done", decide: () => end("done") };
