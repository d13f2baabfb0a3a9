export type HttpRequest = {
  readonly method: string;
  /** With its query, percent-encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
};

/** What the answer to a request has to be. */
export type BadRequest = {
  /** Names the mistake; holds nothing of what is sent. */
  readonly label: string;
  readonly request: HttpRequest;
  /** True: an answer that is not a refusal is a violation. */
  readonly refused: boolean;
  /** The statuses that fit; default: every 4xx that the document lists for the operation. */
  readonly statuses?: readonly number[];
  /** The codes that fit; default: those that the document lists for the operation at the status. */
  readonly codes?: readonly string[];
  /** The status has no code of its own. */
  readonly lacksCode?: boolean;
  /** Headers that the answer has to have, with these values. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
};
