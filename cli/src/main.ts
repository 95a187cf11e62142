/** The entry of the command `rein`: importing it runs the command. */
import { runProgram } from "./run-program.ts";

process.exitCode = await runProgram(process.argv.slice(2));
