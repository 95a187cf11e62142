export {
  type ChainEnvelope,
  eventDigest,
  GENESIS_HASH,
  rowDigest,
  rowHash,
  SALT_BYTES,
  saltedDigest,
} from "./chain.ts";
export { type Composition, compose } from "./compose.ts";
export { eraseFault, isErasable } from "./erase-fault.ts";
export type { EventDefinition, NewEvent, SessionEvent } from "./event.ts";
export { type ForkOptions, forkSession } from "./fork-session.ts";
export { giveBack } from "./give-back.ts";
export { initialKernelState } from "./initial-state.ts";
export { isUnfinished } from "./is-unfinished.ts";
export * from "./kernel-events.ts";
export { MOST_CALLS } from "./most-calls.ts";
export { type OpenedSession, openSession } from "./open-session.ts";
export * from "./part.ts";
export { exportSession, type Imported, type ImportOptions, importSession } from "./portable.ts";
export type { ExportSource } from "./portable-lines.ts";
export type { ExportReport } from "./portable-reader.ts";
export { isKernelEvent } from "./reduce-kernel.ts";
export type * from "./state.ts";
export { statusOf } from "./status.ts";
export type * from "./store.ts";
export type { Stage, StreamPart } from "./stream.ts";
export { type TakenUp, type TakeUpOptions, takeUp } from "./take-up.ts";
export { type ExportVerification, verifyExport } from "./verify-export.ts";
