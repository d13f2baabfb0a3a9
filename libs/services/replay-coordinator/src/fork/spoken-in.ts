import {
  INSTRUCTION_ADDED,
  PIN_TYPES,
  pinsAfter,
  type RunOverlaid,
  type TokenCounterName,
} from '@palimpsest/contracts';
import { readEvents, type EventLog, type EventRange } from '@palimpsest/kernel';

const PINS: readonly string[] = PIN_TYPES;

/** What was said and pinned in a range from the start of a run, in a unit: events with counts have them in every one. */
export async function spokenIn(
  eventLog: EventLog,
  range: EventRange,
  counter: TokenCounterName,
): Promise<Pick<RunOverlaid, 'transcriptTokens' | 'instructionTokens' | 'pins'>> {
  let pinned: Pick<RunOverlaid, 'pins'> = {};
  let [transcriptTokens, instructionTokens] = [0, 0];
  for await (const event of readEvents(eventLog, range)) {
    const tokens = event.counts?.[counter] ?? 0;
    if (PINS.includes(event.type)) pinned = pinsAfter(pinned.pins, event, counter);
    else if (event.type === INSTRUCTION_ADDED) instructionTokens += tokens;
    else transcriptTokens += tokens;
  }
  return { transcriptTokens, instructionTokens, ...pinned };
}
