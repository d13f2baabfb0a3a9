/** The only source of fresh ids. */
export interface IdSource {
  /** A run id that nobody has: at most 96 characters, safe in a path and a subject. */
  runId(): string;
  /** An opaque id for requests and correlation. */
  requestId(): string;
}
