import type { JsonValue } from '@palimpsest/contracts';
import type { Model, ModelMessage } from '../ports/model.js';
import { answerCases } from './model/answer-cases.js';
import { failureCases } from './model/failure-cases.js';
import { repairCases } from './model/repair-cases.js';

/** Tokens as the provider counts them; what is absent it does not report. */
export type ScriptedUsage = {
  readonly input: number;
  readonly output: number;
  readonly reasoning?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
};

/** What a provider does with one request. */
export type ScriptedReply = { readonly latencyMs?: number } & (
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly finish?: 'stop' | 'length';
      readonly usage?: ScriptedUsage;
    }
  | { readonly kind: 'object'; readonly value: JsonValue; readonly usage?: ScriptedUsage }
  | {
      readonly kind: 'refusal';
      readonly text?: string;
      readonly category?: string;
      readonly usage?: ScriptedUsage;
    }
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly code?: string;
      /** May quote the request, as providers do. */
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** A body as given, with status 200. */
  | { readonly kind: 'unreadable'; readonly body: string }
  /** The connection ends in the middle of the body. */
  | { readonly kind: 'truncated' }
  /** The connection ends before an answer. */
  | { readonly kind: 'reset' }
  /** No answer, ever. */
  | { readonly kind: 'hang' }
);

/** A request as the provider read it. */
export type SentRequest = {
  readonly model: string | undefined;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly maxOutputTokens: number | undefined;
  readonly idempotencyKey: string | undefined;
  /** The bytes before the first message that differs from turn to turn: what a provider's cache looks at. */
  readonly systemBytes: string;
};

export type ModelHarness = {
  /** Asks at most 3 times and repairs at most twice; its clock, its timers and its chance are the harness's. */
  readonly model: Model;
  readonly provider: string;
  readonly modelName: string;
  /** What the next requests get, in order. */
  script(...replies: readonly ScriptedReply[]): void;
  sent(): readonly SentRequest[];
  /** Every wait for an answer that is going on runs out. */
  expire(): void;
  /** Milliseconds of every pause between attempts so far; none is waited for. */
  pauses(): readonly number[];
  /** What must be in no error and no log. */
  readonly key: string;
  logged(): string;
  close(): Promise<void>;
};

/** What every `Model` keeps, against a provider that speaks its wire format. */
export function modelContract(name: string, open: () => Promise<ModelHarness>): void {
  describe(`Model: ${name}`, () => {
    let harness: ModelHarness;
    beforeEach(async () => {
      harness = await open();
    });
    afterEach(() => harness.close());

    const current = () => harness;
    answerCases(current);
    repairCases(current);
    failureCases(current);
  });
}
