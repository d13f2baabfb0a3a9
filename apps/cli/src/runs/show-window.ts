import type { WindowDocument, WindowFormat } from '../client/palimpsest-api.js';
import type { Output } from '../output/output.js';
import { tableLines, type Column } from '../output/table.js';
import { count, oneLine, percent, plural, printable } from '../output/text.js';
import type { CommonOptions, Session } from '../program/session.js';
import { latestIteration } from './latest-iteration.js';

type WindowEntryDocument = WindowDocument['entries'][number];
type FateRange = NonNullable<WindowDocument['fates']>[number];

export type WindowOptions = CommonOptions & {
  readonly full?: boolean;
  readonly why?: boolean;
  readonly format?: WindowFormat;
};

/** `palimpsest window <run> [iteration]`: its owner asks for the texts, so they are shown. */
export async function showWindow(
  { runId, iteration }: { readonly runId: string; readonly iteration: number | undefined },
  options: WindowOptions,
  session: Session,
): Promise<void> {
  const { output } = session;
  const api = await session.api(options);
  const at = iteration ?? (await latestIteration(api, runId));
  const window = await api.readWindow(runId, at, options.format);
  if (options.json) return output.json(window);
  if (options.format !== undefined) return output.line(JSON.stringify(providerPart(window), null, 2));
  output.lines(headLines(window));
  output.line();
  if (options.full) showTexts(window.entries, output);
  else output.lines(entryTable(window, output.width));
  if (options.why) {
    output.line();
    output.lines(tableLines(FATE_COLUMNS, (window.fates ?? []).map(fateRow), output.width));
  }
}

/** What goes into a provider's request. */
function providerPart({ format, messages, system }: WindowDocument): unknown {
  return format === 'anthropic' ? { system, messages } : messages;
}

function headLines(window: WindowDocument): string[] {
  const { tokenCount, unboundedTokenCount: unbounded, tokenCounter, instructionTokens } = window;
  return [
    `window ${window.iteration} of ${window.runId}, as of event ${window.asOfSequence}`,
    `${count(tokenCount)} of ${count(unbounded)} ${tokenCounter} fed ` +
      `(${percent(unbounded - tokenCount, unbounded)} not re-sent), ` +
      `${count(instructionTokens)} in instructions beside them`,
  ];
}

/** A pipe gets lines that a screen can hold. */
const WIDTH_OF_PIPES = 120;

function entryTable({ entries, tokenCounter }: WindowDocument, width = WIDTH_OF_PIPES): string[] {
  const columns = ENTRY_COLUMNS.map((column) =>
    column.title === 'tokens' && tokenCounter === 'chars' ? { ...column, title: 'chars' } : column,
  );
  return tableLines(columns, entries.map(entryRow), width);
}

const ENTRY_COLUMNS: readonly Column[] = [
  { title: 'event', right: true },
  { title: 'kind' },
  { title: 'role' },
  { title: 'form' },
  { title: 'tokens', right: true },
  { title: 'text', flexible: true },
];

function entryRow(entry: WindowEntryDocument): string[] {
  const { role, text } = partsOf(entry);
  return [
    `#${sequenceOf(entry.eventId)}`,
    entry.kind,
    role,
    entry.form,
    count(entry.tokens),
    oneLine(text, 200),
  ];
}

function showTexts(entries: readonly WindowEntryDocument[], output: Output): void {
  const { dim } = output.colours;
  for (const entry of entries) {
    const { role, text } = partsOf(entry);
    output.line(
      dim(
        `── #${sequenceOf(entry.eventId)} ${entry.kind} ${role} ${entry.form}, ${plural(entry.tokens, 'token')} ──`,
      ),
    );
    output.line(printable(text));
  }
}

/** `rendered` is `<role>: <text>` and a line feed; a result left out of its turn renders as nothing. */
function partsOf({ rendered }: WindowEntryDocument): { role: string; text: string } {
  const colon = rendered.indexOf(': ');
  if (colon < 0) return { role: 'tool', text: '' };
  return { role: rendered.slice(0, colon), text: rendered.slice(colon + 2).replace(/\n$/, '') };
}

/** An event id ends with the place of its event in the log. */
export function sequenceOf(eventId: string): string {
  return /-(\d+)$/.exec(eventId)?.[1] ?? eventId;
}

const FATE_COLUMNS: readonly Column[] = [
  { title: 'events' },
  { title: 'fate' },
  { title: 'messages', right: true },
  { title: 'why', flexible: true },
];

function fateRow({ fate, reason, fromSequence, toSequence, events, summaryEventId }: FateRange): string[] {
  const range = fromSequence === toSequence ? `#${fromSequence}` : `#${fromSequence}–#${toSequence}`;
  const by = summaryEventId === undefined ? '' : ` (#${sequenceOf(summaryEventId)})`;
  return [range, fate, count(events), `${reason}${by}`];
}
