import {
  INSTRUCTION_ADDED,
  MESSAGE_APPENDED,
  placeOfEventId,
  type MessageAppended,
  type OwnLoopState,
  type RecordedEvent,
} from '@palimpsest/contracts';

/** A run of the same settings in which nothing was said and nothing pinned yet. */
export function unspoken(state: OwnLoopState): OwnLoopState {
  const { replayTarget: _target, pins: _pins, ...settings } = state;
  return {
    ...settings,
    lastMessageSequence: -1,
    messageCount: 0,
    openCalls: {},
    transcriptTokens: 0,
    instructionTokens: 0,
  };
}

/**
 * The state before the state's last message event: the inverse of `foldOwnLoop`. `lastMessageSequence` and pins are the
 * caller's to set, as the event does not know what stood before it.
 */
export function rewindOwnLoop(state: OwnLoopState, event: RecordedEvent): OwnLoopState {
  const tokens = event.counts?.[state.context.tokenCounter] ?? 0;
  const messageCount = state.messageCount - 1;
  switch (event.type) {
    case INSTRUCTION_ADDED:
      return { ...state, messageCount, instructionTokens: state.instructionTokens - tokens };
    case MESSAGE_APPENDED:
      return {
        ...state,
        messageCount,
        transcriptTokens: state.transcriptTokens - tokens,
        openCalls: openCallsBefore(state.openCalls, event),
      };
    default:
      return state;
  }
}

function openCallsBefore(
  open: Readonly<Record<string, number>>,
  event: RecordedEvent,
): Record<string, number> {
  // The log holds what its own schema accepted; it is read back without checking it again.
  const { role, toolCallIds } = event.payload as unknown as MessageAppended;
  const before = { ...open };
  const calledAt = placeOfEventId(event.causationId ?? '')?.sequence;
  for (const id of toolCallIds) {
    if (role === 'assistant') delete before[id];
    else if (calledAt !== undefined) before[id] = calledAt;
  }
  return before;
}
