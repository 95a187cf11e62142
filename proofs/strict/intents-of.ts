import type { Commit } from "rein";

/** What a commit announces: `model 1.1`, `call 17.0`, `process 17.0`; the effect of the same name may begin behind it. */
export function intentsOf({ appends = [] }: Commit): readonly string[] {
  return appends
    .flatMap(({ events }) => events)
    .flatMap(({ type, data }) => {
      const { turn, attempt, call } = JSON.parse(data);
      if (type === "model.requested") return [`model ${turn}.${attempt}`];
      if (type === "tool.started") return [`call ${call}`];
      return type === "process.started" ? [`process ${call}`] : [];
    });
}
