export { type ContextOptions, createContext } from "./create-context.ts";
