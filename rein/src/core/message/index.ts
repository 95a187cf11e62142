export { inputBlockFault, isInputBlock, type ShapeFault } from "./block-shape.ts";
export { decodeMessage, encodeMessage, MESSAGE_VERSION } from "./codec.ts";
export * from "./message.ts";
