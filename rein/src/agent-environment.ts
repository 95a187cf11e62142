import { homedir } from "node:os";

/** What the composition root reads of the process it runs in. */
export const processEnvironment = {
  env: (): Readonly<Record<string, string | undefined>> => process.env,
  home: (): string => homedir(),
  folder: (): string => process.cwd(),
  platform: (): string => process.platform,
};
