import type { OwnLoopState } from './commands/run-log-commands.js';
import type { ContextSettings } from './context-settings.js';
import { RUN_OVERLAID, type RunOverlaid } from './events/overlay-events.js';
import { INSTRUCTION_ADDED, MESSAGE_APPENDED, type MessageAppended } from './events/own-loop-events.js';
import { PIN_ADDED, PIN_REMOVED } from './events/pin-events.js';
import { RUN_STARTED } from './events/protocol-events.js';
import type { JsonObject } from './json.js';
import { PIN_TYPES, pinsAfter } from './pins-fold.js';
import { replayFlagsMember, type ReplayFlags } from './replay-flags.js';
import type { NewRunEvent } from './run-event.js';

/** An event at its place: recorded, or about to be. */
export type PlacedEvent = NewRunEvent & { readonly sequence: number };

/** Types that change an own-loop run's state. */
export const OWN_LOOP_STATE_TYPES = [
  RUN_STARTED,
  RUN_OVERLAID,
  INSTRUCTION_ADDED,
  MESSAGE_APPENDED,
  ...PIN_TYPES,
] as const;

/** What `run.started` of an own-loop run carries beside the registered keys. */
type OwnLoopStarted = {
  readonly configurable: JsonObject & { readonly context: ContextSettings };
  readonly tags?: string[];
  readonly metadata?: JsonObject;
  readonly replayFlags?: ReplayFlags;
};

/** The state of a run in which nothing was said yet. */
export function startedOwnLoop(payload: JsonObject): OwnLoopState {
  // The log holds what its own schemas accepted; it is read back without checking it again.
  const started = payload as unknown as OwnLoopStarted;
  return {
    context: started.configurable.context,
    lastMessageSequence: -1,
    messageCount: 0,
    openCalls: {},
    transcriptTokens: 0,
    instructionTokens: 0,
    ...(started.tags && { tags: started.tags }),
    ...(started.metadata && { metadata: started.metadata }),
    configurable: started.configurable,
    ...replayFlagsMember(started.replayFlags),
  };
}

/** The state after an event. Pure; whoever appends to an own-loop run writes the header with this. */
export function foldOwnLoop(state: OwnLoopState, event: PlacedEvent): OwnLoopState {
  switch (event.type) {
    case RUN_STARTED:
      return { ...startedOwnLoop(event.payload), ...replayTargetOf(state) };
    case RUN_OVERLAID:
      return overlaid(state, event.payload);
    case INSTRUCTION_ADDED:
      return { ...said(state, event), instructionTokens: state.instructionTokens + tokensOf(state, event) };
    case MESSAGE_APPENDED:
      return {
        ...said(state, event),
        transcriptTokens: state.transcriptTokens + tokensOf(state, event),
        openCalls: openCallsAfter(state.openCalls, event),
      };
    case PIN_ADDED:
    case PIN_REMOVED: {
      const { pins, ...rest } = state;
      return { ...rest, ...pinsAfter(pins, event, state.context.tokenCounter) };
    }
    default:
      return state;
  }
}

/** Other settings from here on. What was said before counts in the new unit, as the event tells. */
function overlaid(state: OwnLoopState, overlay: RunOverlaid): OwnLoopState {
  const { context = state.context, configurable = state.configurable, tags, metadata, pins } = overlay;
  const { transcriptTokens = state.transcriptTokens, instructionTokens = state.instructionTokens } = overlay;
  return {
    ...state,
    context,
    configurable: { ...configurable, context: { ...context } as JsonObject },
    transcriptTokens,
    instructionTokens,
    ...(tags && { tags }),
    ...(metadata && { metadata }),
    ...(pins && { pins }),
  };
}

function replayTargetOf(state: OwnLoopState): Pick<OwnLoopState, 'replayTarget'> {
  return state.replayTarget === undefined ? {} : { replayTarget: state.replayTarget };
}

function said(state: OwnLoopState, event: PlacedEvent): OwnLoopState {
  return { ...state, lastMessageSequence: event.sequence, messageCount: state.messageCount + 1 };
}

function tokensOf(state: OwnLoopState, event: PlacedEvent): number {
  return event.counts?.[state.context.tokenCounter] ?? 0;
}

function openCallsAfter(open: Readonly<Record<string, number>>, event: PlacedEvent): Record<string, number> {
  const { role, toolCallIds } = event.payload as unknown as MessageAppended;
  if (role === 'user' || toolCallIds.length === 0) return open;
  const after = { ...open };
  for (const id of toolCallIds) {
    if (role === 'assistant') after[id] = event.sequence;
    else delete after[id];
  }
  return after;
}
