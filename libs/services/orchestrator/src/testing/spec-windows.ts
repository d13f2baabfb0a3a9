import {
  eventIdOf,
  WINDOW_PLANNED,
  type JsonObject,
  type PlanWindow,
  type RecordedEvent,
  type WindowEntry,
  type WindowPlan,
  type WindowPlanned,
} from '@palimpsest/contracts';
import type { ArtifactStore } from '@palimpsest/kernel';
import { loopMessage } from '@palimpsest/transcript';
import type { WindowSource } from '../planner/model-access.js';
import type { WorkflowHarness } from './workflow-harness.js';

/** Feeds all that has counts, and records the window of a turn once, as the assembler does. */
export class SpecWindows implements WindowSource {
  readonly asked: number[] = [];

  constructor(
    private readonly harness: WorkflowHarness,
    private readonly artifacts: ArtifactStore,
  ) {}

  async planWindow({ tenantId, runId, turn }: PlanWindow): Promise<WindowPlan> {
    const iteration = turn?.iteration ?? 0;
    const events = await this.harness.events({ tenantId, runId });
    this.asked.push(iteration);
    const isOfTurn = ({ type, payload }: RecordedEvent) =>
      type === WINDOW_PLANNED && payload['iteration'] === iteration;
    const recorded = events.find(isOfTurn);
    const before = events.slice(0, recorded?.sequence);
    const entries = await Promise.all(
      before.filter(({ counts }) => counts).map((each) => this.entryOf(tenantId, each)),
    );
    const window = windowOf(iteration, before, entries);
    if (!recorded) {
      const payload = window as unknown as JsonObject;
      await this.harness.note(
        { tenantId, runId },
        { type: WINDOW_PLANNED, payload, nodeId: turn?.nodeId ?? '' },
      );
    }
    const eventId = eventIdOf(runId, before.length);
    return { eventId, window, entries, instructions: [], summarizedRanges: [] };
  }

  readWindow({ tenantId, runId, iteration }: Parameters<WindowSource['readWindow']>[0]): Promise<WindowPlan> {
    return this.planWindow({ tenantId, runId, asOfSequence: 0, turn: { iteration, nodeId: '' } });
  }

  private async entryOf(tenantId: string, event: RecordedEvent): Promise<WindowEntry> {
    const { runId, sequence, eventId, counts } = event;
    const content = loopMessage(event);
    const [artifactId = event.payload['artifactId'] as string] = content
      ? await this.artifacts.put(tenantId, runId, [
          { type: 'message', content, origin: `loop:${runId}:${sequence}` },
        ])
      : [];
    return {
      kind: 'turn',
      eventId,
      sequence,
      turn: sequence,
      role: content?.role === 'assistant' ? 'assistant' : 'user',
      artifactId,
      form: 'full',
      tokens: counts?.chars ?? 0,
      toolCallIds: [],
    };
  }
}

function windowOf(
  iteration: number,
  events: readonly RecordedEvent[],
  entries: readonly WindowEntry[],
): WindowPlanned {
  const tokenCount = entries.reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    iteration,
    asOfSequence: events.length - 1,
    lastMessageSequence: entries.at(-1)?.sequence ?? -1,
    tokenCounter: 'chars',
    tokenCount,
    unboundedTokenCount: tokenCount,
    instructionTokens: 0,
    summarySequences: [],
    tailFromSequence: entries[0]?.sequence ?? 0,
    islands: [],
    pending: [],
    cuts: [],
    elided: [],
    messageCount: entries.length,
    totals: { fedTokens: tokenCount, unboundedTokens: tokenCount, summaries: 0 },
  };
}
