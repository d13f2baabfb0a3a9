import {
  MESSAGE_APPENDED,
  messageAppendedSchema,
  PIN_ADDED,
  pinAddedSchema,
  type PlanWindow,
  type ReadWindow,
  type RecordedEvent,
  type Usage,
  type UsageQuery,
  type UsageRow,
  type WindowExplanation,
  type WindowPlan,
} from '@palimpsest/contracts';
import { NotFoundError, type EventLog } from '@palimpsest/kernel';
import type { WindowAssembler } from '../ports.js';

/** Feeds every message and pin whole, and remembers its windows. */
export class StandInAssembler implements WindowAssembler {
  private readonly windows = new Map<string, WindowPlan[]>();

  constructor(private readonly log: EventLog) {}

  /** A window that was planned elsewhere. */
  record(runId: string, plan: WindowPlan): void {
    this.windows.set(runId, [...(this.windows.get(runId) ?? []), plan]);
  }

  async planWindow({ tenantId, runId, asOfSequence }: PlanWindow): Promise<WindowPlan> {
    const { events } = await this.log.readRun({ tenantId, runId, fromSequence: 0 });
    const planned = this.windows.get(runId) ?? [];
    const messages = events.filter(({ type }) => type === MESSAGE_APPENDED || type === PIN_ADDED);
    const last = messages.at(-1)?.sequence ?? -1;
    const standing = planned.at(-1);
    if (standing?.window.lastMessageSequence === last) return standing;
    const plan = planOf(runId, { iteration: planned.length + 1, asOfSequence, messages });
    this.windows.set(runId, [...planned, plan]);
    return plan;
  }

  async readWindow({ runId, iteration }: ReadWindow): Promise<WindowPlan> {
    const plan = this.windows.get(runId)?.[iteration - 1];
    if (!plan) throw new NotFoundError('The window');
    return plan;
  }

  async explainWindow(): Promise<WindowExplanation> {
    return { fates: [] };
  }

  async usage({ runId, fromIteration = 1, limit = 500 }: UsageQuery): Promise<Usage> {
    const windows = this.windows.get(runId) ?? [];
    const end = fromIteration - 1 + limit;
    return {
      iterations: windows.slice(fromIteration - 1, end).map(usageRow),
      ...(end < windows.length && { nextIteration: end + 1 }),
      total: { fedTokens: 0, unboundedTokens: 0, notResentTokens: 0, summaries: 0 },
    };
  }
}

function usageRow({ window }: WindowPlan): UsageRow {
  const { iteration, messageCount: messages, tokenCount } = window;
  const tokens = { fedTokens: tokenCount, unboundedTokens: tokenCount, notResentTokens: 0 };
  return { iteration, messages, ...tokens, summaries: 0 };
}

type Planned = {
  readonly iteration: number;
  readonly asOfSequence: number;
  readonly messages: readonly RecordedEvent[];
};

function planOf(runId: string, { iteration, asOfSequence, messages }: Planned): WindowPlan {
  const entries = inTurns(messages.map(entryOf));
  const tokenCount = entries.reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    eventId: `evt-${runId}-window-${iteration}`,
    window: {
      iteration,
      asOfSequence,
      lastMessageSequence: messages.at(-1)?.sequence ?? -1,
      tokenCounter: 'chars',
      tokenCount,
      unboundedTokenCount: tokenCount,
      instructionTokens: 0,
      summarySequences: [],
      tailFromSequence: messages[0]?.sequence ?? 0,
      islands: [],
      pending: [],
      cuts: [],
      elided: [],
      messageCount: messages.length,
      totals: { fedTokens: tokenCount, unboundedTokens: tokenCount, summaries: 0 },
    },
    entries,
    instructions: [],
    summarizedRanges: [],
  };
}

function entryOf(event: RecordedEvent): WindowPlan['entries'][number] {
  if (event.type === PIN_ADDED) return pinEntryOf(event);
  const { role, artifactId, toolCallIds } = messageAppendedSchema.parse(event.payload);
  return {
    kind: 'turn',
    eventId: event.eventId,
    sequence: event.sequence,
    turn: event.sequence,
    role,
    artifactId,
    form: 'full',
    tokens: event.counts?.chars ?? 0,
    toolCallIds,
  };
}

function pinEntryOf(event: RecordedEvent): WindowPlan['entries'][number] {
  return {
    kind: 'pin',
    eventId: event.eventId,
    sequence: event.sequence,
    turn: event.sequence,
    role: 'user',
    artifactId: pinAddedSchema.parse(event.payload).artifactId,
    form: 'full',
    tokens: event.counts?.chars ?? 0,
    toolCallIds: [],
  };
}

/** A result belongs to the assistant's turn before it. */
function inTurns(entries: readonly WindowPlan['entries'][number][]): WindowPlan['entries'] {
  let turn = 0;
  return entries.map((entry) => {
    if (entry.role !== 'tool') turn = entry.sequence;
    return { ...entry, turn };
  });
}
