import type { Tool } from "../tool.ts";
import { list } from "./list.ts";
import { read } from "./read.ts";
import { search } from "./search.ts";
import { shell } from "./shell.ts";
import { write } from "./write.ts";

/** The built-in tools, in the order in which the model is shown them. */
export const builtinTools: readonly Tool[] = Object.freeze([shell, read, write, list, search]);
