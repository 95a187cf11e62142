export { createContext } from "./create-context.ts";
