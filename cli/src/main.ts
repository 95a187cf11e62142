/** The entry of the command `rein`: importing it runs the command. */
import { Output } from "./output.ts";
import { reportError } from "./report-error.ts";
import { runProgram } from "./run-program.ts";
import { standardOutput } from "./standard-output.ts";

const output = new Output(standardOutput(process.stdout), process.stderr);

process.on("uncaughtException", (thrown) => process.exit(reportError(thrown, output)));
process.exitCode = await output.finish(await runProgram(process.argv.slice(2), output));
