import type {
  ContextRequest,
  ContextSettings,
  FateRange,
  JsonObject,
  RunEvent,
  RunStatus,
  TokenCounterName,
} from '@palimpsest/contracts';

/** What the API answers, as far as it is read here. */
export type CreatedRun = { readonly runId: string; readonly context: ContextSettings };

export type CreateRunBody = {
  readonly context: ContextRequest;
  readonly metadata?: JsonObject;
  readonly tags?: readonly string[];
};

export type RunSnapshot = {
  readonly runId: string;
  readonly workflowId: string;
  readonly status: RunStatus;
  readonly startedAt: string;
  readonly configurable?: { readonly context?: ContextSettings };
  readonly metadata?: JsonObject;
  readonly sourceRunId?: string;
  readonly fromSeq?: number;
  readonly mode?: 'replay' | 'branch';
  readonly lastSequence: number;
  readonly messageCount?: number;
};

export type RunPage = { readonly runs: readonly RunSnapshot[]; readonly nextCursor?: string };

export type WindowFormat = 'openai' | 'anthropic';

export type WindowEntryDocument = {
  readonly eventId: string;
  readonly kind: 'turn' | 'summary';
  readonly form: 'full' | 'cut' | 'elided';
  readonly rendered: string;
  readonly tokens: number;
};

export type WindowDocument = {
  readonly runId: string;
  readonly iteration: number;
  readonly eventId: string;
  readonly asOfSequence: number;
  readonly tokenCounter: TokenCounterName;
  readonly tokenCount: number;
  readonly unboundedTokenCount: number;
  readonly instructionTokens: number;
  readonly summarizedRanges: readonly {
    readonly eventId: string;
    readonly replacedTurns: readonly string[];
  }[];
  readonly entries: readonly WindowEntryDocument[];
  readonly format: WindowFormat;
  readonly messages: readonly JsonObject[];
  /** Anthropic's shape only. */
  readonly system?: readonly JsonObject[];
  /** Of a recorded window that is read. */
  readonly fates?: readonly FateRange[];
};

export type ForkAnswer = {
  readonly runId: string;
  readonly sourceRunId: string;
  readonly fromSeq: number;
  readonly mode: 'replay' | 'branch';
  readonly status: RunStatus;
};

export type EventList = { readonly events: readonly RunEvent[] };
