import { ApiError } from '@palimpsest/client';
import type { ContextRequest, CreatedRun, PalimpsestApi, WindowDocument } from '../client/palimpsest-api.js';
import { checkMessages } from '../transcripts/check-messages.js';
import { groupTurns, type ImportStep, type WindowEvery } from '../transcripts/group-turns.js';
import { outgoingMessage } from '../transcripts/outgoing-message.js';
import type { Conversation } from '../transcripts/transcript.js';

export type ConversationRequest = {
  readonly context: ContextRequest;
  readonly every: WindowEvery;
  /** Base name of the file, kept with the run. */
  readonly source: string;
  readonly finish: boolean;
};

/** One window as it was answered; totals are over all windows so far. */
export type WindowProgress = {
  readonly iteration: number;
  /** Turns appended so far, of all that there are. */
  readonly turns: number;
  readonly allTurns: number;
  readonly unboundedTokens: number;
  readonly windowTokens: number;
  /** Summaries recorded for this window. */
  readonly newSummaries: number;
  readonly totals: ImportTotals;
};

export type ImportTotals = {
  readonly windows: number;
  readonly unboundedTokens: number;
  readonly fedTokens: number;
  readonly summaries: number;
  readonly largestWindow: number;
};

export type ImportedRun = {
  readonly label: string;
  readonly runId: string;
  readonly context: CreatedRun['context'];
  readonly turns: number;
  readonly totals: ImportTotals;
  /** What a window had that it must not have; a message for each. */
  readonly violations: readonly string[];
  readonly refusal?: ImportRefusal;
};

/** Where the server said no, and what. */
export type ImportRefusal = {
  readonly line: number;
  /** First and last message that were being appended, 1-based in the conversation. */
  readonly messages: readonly [number, number];
  readonly code: string;
  readonly message: string;
};

/** Most messages of one request. */
const MESSAGES_AT_ONCE = 500;

/** Replays a conversation into a run as its own loop would have: a window before each answer, and one at the end. */
export async function runConversation(
  api: PalimpsestApi,
  conversation: Conversation,
  request: ConversationRequest & { readonly onWindow?: (progress: WindowProgress) => void },
): Promise<ImportedRun> {
  const { runId, context } = await api.createRun({
    context: request.context,
    tags: ['import'],
    metadata: { importedFrom: storable(request.source), conversation: storable(conversation.label) },
  });
  const steps = groupTurns(conversation.messages, request.every);
  const run = new RunInTheMaking(api, { runId, context }, steps.length);
  const takeWindow = async (): Promise<void> => {
    const progress = await run.takeWindow();
    request.onWindow?.(progress);
  };
  for (const step of steps) {
    if (step.windowBefore) await takeWindow();
    const refusal = await run.append(step, conversation.line);
    if (refusal) return run.result(conversation.label, refusal);
  }
  await takeWindow();
  if (request.finish) await api.finish(runId);
  return run.result(conversation.label);
}

class RunInTheMaking {
  #turns = 0;
  #last: WindowDocument | undefined;
  #totals: ImportTotals = { windows: 0, unboundedTokens: 0, fedTokens: 0, summaries: 0, largestWindow: 0 };
  readonly #violations: string[] = [];

  constructor(
    private readonly api: PalimpsestApi,
    private readonly run: CreatedRun,
    private readonly allTurns: number,
  ) {}

  async append(step: ImportStep, line: number): Promise<ImportRefusal | undefined> {
    for (let at = 0; at < step.messages.length; at += MESSAGES_AT_ONCE) {
      const part = step.messages.slice(at, at + MESSAGES_AT_ONCE);
      try {
        await this.api.appendTurns(this.run.runId, part.map(outgoingMessage));
      } catch (error) {
        if (!isAboutTheMessages(error)) throw error;
        const wrong = part[indexIn(error)];
        const [first, last] = wrong ? [wrong, wrong] : [part[0], part.at(-1)];
        return {
          line: first?.line ?? line,
          messages: [first?.place ?? 1, last?.place ?? 1],
          code: error.code,
          message: wrong ? withoutPlace(error.message) : error.message,
        };
      }
    }
    this.#turns += 1;
    return undefined;
  }

  async takeWindow(): Promise<WindowProgress> {
    const window = await this.api.planWindow(this.run.runId);
    this.#check(window);
    const known = new Set(this.#last?.summarizedRanges.map(({ eventId }) => eventId));
    const newSummaries = window.summarizedRanges.filter(({ eventId }) => !known.has(eventId)).length;
    const repeated = this.#last?.iteration === window.iteration;
    if (!repeated) this.#totals = added(this.#totals, window, newSummaries);
    this.#last = window;
    return {
      iteration: window.iteration,
      turns: this.#turns,
      allTurns: this.allTurns,
      unboundedTokens: window.unboundedTokenCount,
      windowTokens: window.tokenCount,
      newSummaries,
      totals: this.#totals,
    };
  }

  #check({ iteration, tokenCount, entries, messages }: WindowDocument): void {
    const budget = this.run.context.transcriptTokenBudget;
    const sum = entries.reduce((total, { tokens }) => total + tokens, 0);
    if (tokenCount > budget) this.#violations.push(`window ${iteration} has ${tokenCount} of ${budget}`);
    if (sum !== tokenCount)
      this.#violations.push(`window ${iteration} says ${tokenCount}, its entries ${sum}`);
    const problem = checkMessages(messages);
    if (problem !== undefined) this.#violations.push(`window ${iteration}: ${problem}`);
  }

  result(label: string, refusal?: ImportRefusal): ImportedRun {
    return {
      label,
      ...this.run,
      turns: this.#turns,
      totals: this.#totals,
      violations: this.#violations,
      ...(refusal && { refusal }),
    };
  }
}

function added(totals: ImportTotals, window: WindowDocument, newSummaries: number): ImportTotals {
  return {
    windows: totals.windows + 1,
    unboundedTokens: totals.unboundedTokens + window.unboundedTokenCount,
    fedTokens: totals.fedTokens + window.tokenCount,
    summaries: totals.summaries + newSummaries,
    largestWindow: Math.max(totals.largestWindow, window.tokenCount),
  };
}

/** Another conversation may do better; a server that knows no key, or is broken, will not. */
function isAboutTheMessages(error: unknown): error is ApiError {
  return error instanceof ApiError && [400, 409, 413, 422].includes(error.status);
}

/** Of `details.field` like `messages.3.content`; −1 where the refusal names no message. */
function indexIn({ details }: ApiError): number {
  const field = details['field'];
  return Number(/^messages\.(\d+)/.exec(typeof field === 'string' ? field : '')?.[1] ?? -1);
}

/** The place in the request, such as `messages.0`, is none that the reader knows: the refusal names line and message. */
function withoutPlace(message: string): string {
  return message.replace(/\bmessages\.\d+(?:\.|: | )/, '');
}

/** Names of files and conversations may hold what the log does not take. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\uFFFD').slice(0, 200).toWellFormed();
}
