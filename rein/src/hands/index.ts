export { createPlainHands, type PlainHandsOptions } from "./plain-hands.ts";
export { resolvePath } from "./resolve-path.ts";
