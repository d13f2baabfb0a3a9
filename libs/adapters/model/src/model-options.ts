import type { Clock, Logger } from '@palimpsest/kernel';

/** Which provider, and how to reach it. `apiKey` is a secret. */
export type ModelProvider =
  | {
      readonly provider: 'openai-compatible';
      /** What `/chat/completions` is appended to, e.g. `https://api.openai.com/v1`. */
      readonly baseUrl: string;
      /** Servers of one's own often take none. */
      readonly apiKey?: string;
      /** Of requests that name none. */
      readonly model: string;
    }
  | {
      readonly provider: 'anthropic';
      /** What `/messages` is appended to. Default `https://api.anthropic.com/v1`. */
      readonly baseUrl?: string;
      readonly apiKey: string;
      readonly model: string;
    };

export type ModelLimits = {
  /** Most requests for one answer, the first included. Default 4. */
  readonly maxAttempts?: number;
  /** Most times that an answer which does not fit is sent back. Default 2. */
  readonly maxRepairs?: number;
  /** Longest that a call may go on with all attempts, pauses and repairs. Default 600 000. */
  readonly totalTimeoutMs?: number;
  /** Output tokens that reasoning may take beside the answer: added to every request's cap. Default 0. */
  readonly reasoningTokens?: number;
};

/** Where time and chance come from. */
export type ModelSeams = {
  readonly clock?: Clock;
  /** In [0, 1). */
  readonly random?: () => number;
  /** Resolves after the time, or as soon as the signal is aborted. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Acts after the time, unless what it returned is called before. */
  readonly startTimer?: (ms: number, act: () => void) => () => void;
  readonly logger?: Logger;
};

export type ModelOptions = ModelProvider & ModelLimits & ModelSeams;

export type CallSettings = Required<ModelLimits> & Required<ModelSeams>;
