import { Inject, Injectable } from '@nestjs/common';
import {
  isTerminalStatus,
  type AppendedMessages,
  type MessageDraft,
  type RunHeader,
} from '@palimpsest/contracts';
import {
  ARTIFACT_STORE,
  ID_SOURCE,
  RunNotActiveError,
  TOKEN_COUNTER,
  TerminalError,
  type ArtifactStore,
  type IdSource,
  type TokenCounter,
} from '@palimpsest/kernel';
import { normaliseMessage, renderMessage, type NormalisedMessage } from '@palimpsest/transcript';
import type { AppendTurnsRequest } from '../domain/requests.js';
import { RUN_LOG_COMMANDS, type RunLogCommands } from '../ports.js';
import type { Attempt } from './idempotent-requests.js';

@Injectable()
export class AppendTurnsHandler {
  constructor(
    @Inject(RUN_LOG_COMMANDS) private readonly runLog: RunLogCommands,
    @Inject(ARTIFACT_STORE) private readonly artifacts: ArtifactStore,
    @Inject(TOKEN_COUNTER) private readonly tokens: TokenCounter,
    @Inject(ID_SOURCE) private readonly ids: IdSource,
  ) {}

  /**
   * Content first, then the events that refer to it: a failure between leaves content that nothing refers to,
   * never an event without content.
   */
  async append(run: RunHeader, request: AppendTurnsRequest, attempt: Attempt): Promise<AppendedMessages> {
    if (isTerminalStatus(run.status) && attempt.commandId === undefined) {
      throw new RunNotActiveError(run.runId, run.status);
    }
    const messages = request.messages.map(normaliseMessage);
    const origin = `${run.runId}/${attempt.commandId ?? this.ids.requestId()}`;
    const counts = await this.tokens.countAll(messages.map(({ content }) => renderMessage(content)));
    const ids = await this.artifacts.put(
      run.tenantId,
      run.runId,
      messages.map(({ content }, index) => ({ type: 'message', origin: `${origin}/${index}`, content })),
    );
    const drafts = messages.map((message, index): MessageDraft => {
      const artifactId = ids[index];
      const count = counts[index];
      if (artifactId === undefined || count === undefined) throw new ShortAnswerError();
      return { ...placeOf(message), artifactId, counts: count };
    });
    return this.runLog.appendMessages({
      tenantId: run.tenantId,
      runId: run.runId,
      messages: drafts,
      ...(request.expectedSequence !== undefined && { expectedSequence: request.expectedSequence }),
      ...(attempt.commandId !== undefined && { commandId: attempt.commandId }),
    });
  }
}

class ShortAnswerError extends TerminalError {
  constructor() {
    super('internal_error', 'A service answered for fewer messages than it was given.');
  }
}

function placeOf({ content, repaired }: NormalisedMessage): Omit<MessageDraft, 'artifactId' | 'counts'> {
  const { role, toolCalls = [], toolCallId } = content;
  const toolCallIds = toolCallId === undefined ? toolCalls.map(({ id }) => id) : [toolCallId];
  return { role, toolCallIds, repaired };
}
