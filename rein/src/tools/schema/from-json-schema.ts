/** Apart, so that a bundler can leave out the rest of zod, which is most of it. */
export { fromJSONSchema } from "zod";
