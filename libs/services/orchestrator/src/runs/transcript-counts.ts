import {
  NODE_COMPLETED,
  ORCHESTRATOR_DECIDED,
  type NewRunEvent,
  type WorkflowDefinition,
} from '@palimpsest/contracts';
import type { TokenCounter } from '@palimpsest/kernel';
import { loopMessage, renderMessage } from '@palimpsest/transcript';
import { modelLoopOf, type ModelLoop } from '@palimpsest/workflow';

/**
 * Events with the counts of those that are turns of a transcript: in a loop that a model decides its decisions and the
 * outcomes of its dispatch (host specification §5.8). What workers returned was counted when it was stored. Other loops
 * have no transcript.
 */
export async function withCounts(
  events: readonly NewRunEvent[],
  definition: Pick<WorkflowDefinition, 'nodes' | 'edges'>,
  tokens: Pick<TokenCounter, 'countAll'>,
): Promise<readonly NewRunEvent[]> {
  const renderings = renderedTurns(events, modelLoopOf(definition));
  if (renderings.size === 0) return events;
  const counts = await tokens.countAll([...renderings.values()]);
  const places = new Map([...renderings.keys()].map((event, place) => [event, counts[place]]));
  return events.map((event) => {
    const counted = places.get(event);
    return counted ? { ...event, counts: counted } : event;
  });
}

function renderedTurns(
  events: readonly NewRunEvent[],
  loop: ModelLoop | undefined,
): ReadonlyMap<NewRunEvent, string> {
  const renderings = new Map<NewRunEvent, string>();
  for (const event of loop ? events.filter((each) => isTurn(each, loop)) : []) {
    const message = loopMessage(event);
    if (message) renderings.set(event, renderMessage(message));
  }
  return renderings;
}

function isTurn({ type, nodeId }: NewRunEvent, { supervisorId, dispatchId }: ModelLoop): boolean {
  if (type === ORCHESTRATOR_DECIDED) return nodeId === supervisorId;
  return type === NODE_COMPLETED && dispatchId !== undefined && nodeId === dispatchId;
}
