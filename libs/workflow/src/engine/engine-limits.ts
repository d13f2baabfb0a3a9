/** Bytes of JSON. An event's payload holds 64 KiB at most, a node's outputs are a part of one. */
export const OUTPUT_BYTES = 48 * 1024;
/** Of an answer, which becomes a node's outputs with a name around it. */
export const ANSWER_BYTES = 47 * 1024;
/** Of a run's state, which is written whole with every append. */
export const STATE_BYTES = 384 * 1024;

/** One append: a batch ends with the event that reaches one of these. */
export const BATCH_EVENTS = 400;
export const BATCH_BYTES = 256 * 1024;

/** Longest retry delay; they grow from one second, twofold. */
export const RETRY_FIRST_MS = 1000;
export const RETRY_MOST_MS = 30_000;
