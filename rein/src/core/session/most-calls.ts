/**
 * Calls of one message that are carried out; each one beyond gets an error as its result, and the model may make it again.
 * No real message comes near: it bounds the work of a round, so that whoever shares the process has its turn.
 */
export const MOST_CALLS = 128;
