import { play } from "/work/main/proofs/crash-matrix/play.ts";
import { faultsOf } from "/work/main/proofs/crash-matrix/what-must-hold.ts";
import * as P from "/work/main/proofs/crash-matrix/points.ts";
const all=[{name:"none",points:[]},...P.INSIDE_EFFECTS,...P.SMALL_WRITES,...P.DEATHS_IN_RECOVERY,...P.atCommit(1),...P.atCommit(5)];
const from=Number(process.argv[2]??0), to=Number(process.argv[3]??1);
for (const s of all.slice(from,to)) { const t=performance.now(); const r=await play(s);
 console.log(s.name, Math.round(performance.now()-t),"ms", r===null?"NOT REACHED":faultsOf(r));
 if (process.argv[4]) { console.log(r?.told.filter(t=>t.what!=="has").map(t=>JSON.stringify(t)).join("\n")); console.log(r?.end); console.log(r?.log.events.map(e=>`${e.seq} ${e.type} ${e.data.call??""} ${e.data.outcome??""}`).join("\n")) } }
