import { count } from '../output/text.js';
import { UsageError } from '../program/cli-error.js';
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
  const pin = await (await session.api(options)).addPin(runId, body);
  if (options.json) return output.json(pin);
  output.line(`${pin.pinId}  ${count(pin.tokens)} tokens, ${count(pin.pinnedTokens)} with all pins`);
}

function pinOf(text: string | undefined, eventId: string | undefined) {
  if (text !== undefined && eventId === undefined) return { text };
  if (text === undefined && eventId !== undefined) return { eventId };
  throw new UsageError('a pin is a text or an event', 'Give one of them: <text> or --event <id>.');
}
