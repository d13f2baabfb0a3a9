import type { RunEvent } from '@palimpsest/client';
import { rowLine, tableLines, type Column } from '../output/table.js';
import { count, oneLine, plural } from '../output/text.js';
import type { CommonOptions, Session } from '../program/session.js';

export type EventsOptions = CommonOptions & { readonly follow?: boolean };

const COLUMNS: readonly Column[] = [
  { title: 'event', right: true },
  { title: 'time' },
  { title: 'type' },
  { title: 'what', flexible: true },
];
/** For rows that are written before the next is known. */
const FOLLOWED_WIDTHS = [7, 12, 27, 60];

/** `palimpsest events <run>`; with `--json` an event a line. */
export async function showEvents(runId: string, options: EventsOptions, session: Session): Promise<void> {
  const { output } = session;
  const api = await session.api(options);
  if (options.follow) {
    for await (const event of api.followEvents(runId)) {
      if (options.json) output.json(event);
      else output.line(rowLine(COLUMNS, FOLLOWED_WIDTHS, eventRow(event)));
    }
    return;
  }
  const events = await api.readEvents(runId);
  if (options.json) return events.forEach((event) => output.json(event));
  output.lines(tableLines(COLUMNS, events.map(eventRow), output.width));
}

function eventRow(event: RunEvent): string[] {
  return [`#${event.sequence}`, event.timestamp.slice(11, 23), event.type, oneLine(detailsOf(event), 100)];
}

/** Events hold ids and counts; this says the telling ones. */
export function detailsOf({ type, payload }: Pick<RunEvent, 'type' | 'payload'>): string {
  const describe = DETAILS[type];
  return describe ? describe(payload) : '';
}

const number = (value: unknown): string => (typeof value === 'number' ? count(value) : '?');
const word = (value: unknown): string => (typeof value === 'string' ? value : '?');
const length = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

const DETAILS: Readonly<Record<string, (payload: RunEvent['payload']) => string>> = {
  'run.started': (payload) => {
    const { context } = (payload['configurable'] ?? {}) as { context?: RunEvent['payload'] };
    if (!context) return '';
    return `budget ${number(context['transcriptTokenBudget'])} ${word(context['tokenCounter'])}, ${word(context['strategy'])}`;
  },
  'palimpsest.instruction.added': () => 'system',
  'palimpsest.message.appended': ({ role, toolCallIds }) => {
    const calls = length(toolCallIds);
    return role === 'assistant' && calls > 0 ? `assistant, ${plural(calls, 'tool call')}` : word(role);
  },
  'context.summarized': (payload) =>
    `window ${number(payload['iteration'])}: ${plural(length(payload['replacedTurns']), 'entry', 'entries')}, ` +
    `${number(payload['tokensBefore'])} → ${number(payload['tokensAfter'])} tokens`,
  'palimpsest.window.planned': (payload) =>
    `window ${number(payload['iteration'])}: ${number(payload['tokenCount'])} of ${number(payload['unboundedTokenCount'])} tokens`,
};
