import type { JsonValue } from '@palimpsest/contracts';
import { PromptCache, promptOf } from './prompt-cache.js';
import { TurnMemory } from './turn-memory.js';
import type { WireReply } from './wire-reply.js';
import type { WireRequest } from './wire-request.js';

/** A request as the brain understood it. */
export type LoopCall = {
  readonly purpose: 'decision' | 'summary' | 'other';
  /** Of a decision: which turn it is for, 1 for the first. */
  readonly turn: number;
  /** Requests before it for the same invocation: attempts and repairs. */
  readonly attempt: number;
  /** What a provider's cache sees of it. */
  readonly prompt: string;
  readonly request: WireRequest;
};

export type LoopBrainOptions = {
  /** The decision of a turn (host specification §5.2); with the request at hand, for several loops at once. */
  readonly decide: (turn: number, request: WireRequest) => JsonValue;
  /** What a call gets instead: an error, a broken answer, a refusal. */
  readonly disturb?: (call: LoopCall) => WireReply | undefined;
  /** Requests of nodes that ask a model, and whatever else there is. */
  readonly otherwise?: (request: WireRequest) => WireReply;
  readonly latencyMs?: number;
};

/**
 * A model that plays a part: it decides the turns of loops and summarizes. It remembers every call, and reports the usage
 * that a cache of prefixes would have had.
 */
export class LoopBrain {
  readonly calls: LoopCall[] = [];
  readonly #cache = new PromptCache();
  readonly #turns = new TurnMemory();
  readonly #invocations = new Map<string, number>();

  constructor(private readonly options: LoopBrainOptions) {}

  /** For `startWireServer`. */
  readonly respond = (request: WireRequest): WireReply => {
    const call = this.#understood(request);
    this.calls.push(call);
    const { disturb, latencyMs } = this.options;
    const reply = disturb?.(call) ?? this.#answer(call);
    return { ...(latencyMs !== undefined && { latencyMs }), ...reply };
  };

  of(purpose: LoopCall['purpose']): readonly LoopCall[] {
    return this.calls.filter((call) => call.purpose === purpose);
  }

  #understood(request: WireRequest): LoopCall {
    const purpose = purposeOf(request);
    const invocation = invocationOf(request);
    return {
      purpose,
      turn: purpose === 'decision' ? this.#turns.turnOf(request, invocation) : 0,
      attempt: this.#attemptOf(invocation),
      prompt: promptOf(request),
      request,
    };
  }

  #attemptOf(invocation: string): number {
    const attempt = this.#invocations.get(invocation) ?? 0;
    this.#invocations.set(invocation, attempt + 1);
    return attempt;
  }

  #answer({ purpose, turn, request }: LoopCall): WireReply {
    switch (purpose) {
      case 'decision':
        return this.#object(request, this.options.decide(turn, request));
      case 'summary':
        return this.#text(request, summaryOf(request));
      case 'other':
        return this.options.otherwise?.(request) ?? this.#text(request, 'Done.');
      default:
        return purpose satisfies never;
    }
  }

  #object(request: WireRequest, value: JsonValue): WireReply {
    return { kind: 'object', value, usage: this.#cache.usageOf(request, JSON.stringify(value)) };
  }

  #text(request: WireRequest, text: string): WireReply {
    return { kind: 'text', text, usage: this.#cache.usageOf(request, text) };
  }
}

/** Hands off to the workers in turn, and terminates in turn `last`. */
export function handOffUntil(last: number, ...workers: readonly string[]): LoopBrainOptions['decide'] {
  return (turn) =>
    turn >= last
      ? { kind: 'terminate', reason: 'goal-reached' }
      : { kind: 'next-worker', nextWorkerIds: [workers[(turn - 1) % workers.length] ?? ''] };
}

/** What follows the first point names a repair or another form of the same invocation. */
function invocationOf({ idempotencyKey, index }: WireRequest): string {
  return idempotencyKey?.split('.')[0] ?? `request ${index}`;
}

/** Words that only the prompts of a supervisor and of a summarizer have. */
const OF_DECISIONS = 'next-worker';
const OF_SUMMARIES = /\b(?:summar|condense)/i;

function purposeOf({ system, bodyText }: WireRequest): LoopCall['purpose'] {
  if (OF_SUMMARIES.test(system) && !system.includes(OF_DECISIONS)) return 'summary';
  return bodyText.includes(OF_DECISIONS) ? 'decision' : 'other';
}

const MOST_CALLS_NAMED = 12;

/** Prose of a fixed length at most, which names what the request names: turns and the workers of them. */
function summaryOf({ messages }: WireRequest): string {
  const text = messages.map((message) => message.text).join('\n');
  const turns = [...new Set([...text.matchAll(/\bturn (\d+)\b/g)].map(([, turn]) => Number(turn)))];
  const workers = [...new Set([...text.matchAll(/"nextWorkerIds":\["([^"]{1,64})"/g)].map(([, id]) => id))];
  const [first, last] = [Math.min(...turns), Math.max(...turns)];
  if (turns.length === 0) return 'Nothing of note so far.';
  return `Through turn ${last}: from turn ${first} on work went to ${workers.slice(0, MOST_CALLS_NAMED).join(', ')}.`;
}
