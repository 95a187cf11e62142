/** Import and construct, and nothing else: how long the process lives is measured from outside. */
import { createAgent } from "rein";
import { stubModel } from "../peers/stub-model.ts";

createAgent({ model: stubModel(1) });
