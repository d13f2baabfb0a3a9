import { ApiError } from '@palimpsest/client';
import { count, printable } from '../output/text.js';
import { CliError, EXIT, UsageError } from '../program/cli-error.js';
import type { CommonOptions, Session } from '../program/session.js';

export type AddPinOptions = CommonOptions & { readonly event?: string };

type Wanted = { readonly runId: string; readonly text: string | undefined };

/** `palimpsest pin add <run> [text]` */
export async function addPin(
  { runId, text }: Wanted,
  options: AddPinOptions,
  session: Session,
): Promise<void> {
  const { output } = session;
  const body = pinOf(text, options.event);
  const api = await session.api(options);
  const pin = await api.addPin(runId, body).catch((error: unknown) => {
    throw roomFailure(error, runId);
  });
  if (options.json) return output.json(pin);
  output.line(`${pin.pinId}  ${count(pin.tokens)} tokens, ${count(pin.pinnedTokens)} with all pins`);
}

function pinOf(text: string | undefined, eventId: string | undefined) {
  if (text !== undefined && eventId === undefined) return { text };
  if (text === undefined && eventId !== undefined) return { eventId };
  throw new UsageError('a pin is a text or an event', 'Give one of them: <text> or --event <id>.');
}

/** The budget of a run is settled: what can be changed are the pins. */
function roomFailure(error: unknown, runId: string): unknown {
  if (!(error instanceof ApiError) || error.code !== 'context_budget_infeasible') return error;
  return new CliError(printable(error.message), {
    code: error.code,
    exitCode: EXIT.server,
    hint: `Pin a shorter text, or remove a pin of the run: npx palimpsest pin list ${runId}`,
    cause: error,
  });
}
