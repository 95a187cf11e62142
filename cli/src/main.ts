import { version } from "rein";

console.log(version);
