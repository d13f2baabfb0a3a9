import { TerminalError } from '@palimpsest/kernel';

/** A tool message answers an id for which no call is open. */
export class ToolResultWithoutCallError extends TerminalError {
  constructor(readonly index: number) {
    super('tool_result_without_call', `messages.${index} answers a tool call that is not open.`, {
      details: { field: `messages.${index}` },
    });
  }
}

/** An assistant message opens an id that is open already, or names one twice. */
export class DuplicateToolCallIdError extends TerminalError {
  constructor(readonly index: number) {
    super('duplicate_tool_call_id', `messages.${index} repeats the id of a tool call that is still open.`, {
      details: { field: `messages.${index}` },
    });
  }
}
