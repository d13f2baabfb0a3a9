/** A chat message as a file has it: an object with a role; what else it holds is the server's to judge. */
export type SourceMessage = {
  readonly message: Readonly<Record<string, unknown>> & { readonly role: string };
  /** 1-based, in its conversation. */
  readonly place: number;
  /** 1-based line of the file, where a line holds one message. */
  readonly line?: number;
};

export type Conversation = {
  /** Its `id`, or a name made of the file's. */
  readonly label: string;
  /** First line of the file it stands on. */
  readonly line: number;
  readonly messages: readonly SourceMessage[];
};

/** A part of a file that is no conversation. Never quotes the file. */
export type TranscriptProblem = { readonly label: string; readonly line: number; readonly problem: string };

export type ParsedTranscripts = {
  readonly conversations: readonly Conversation[];
  readonly problems: readonly TranscriptProblem[];
};
