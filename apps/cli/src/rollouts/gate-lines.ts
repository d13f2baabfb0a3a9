import type { Promotion } from '../client/registry-api.js';
import type { Output } from '../output/output.js';
import { tableLines, type Column } from '../output/table.js';
import { moment, oneLine } from '../output/text.js';
import { stageText } from './stage-text.js';

const COLUMNS: readonly Column[] = [
  { title: 'gate' },
  { title: 'figure', right: true },
  { title: 'threshold', right: true },
  { title: '' },
];

/** Gates whose figure may not exceed the threshold; all others have to reach it (contract §12.3). */
const AT_MOST: ReadonlySet<string> = new Set(['p95_cost', 'quality', 'rework', 'reconciliation']);

type Gate = Promotion['gates'][number];
type Look = Pick<Output, 'colours' | 'width'>;

/** What a promotion was decided by: its verdict, then a line for each gate. */
export function gateLines(promotion: Promotion, { colours, width }: Look): string[] {
  const { promoted, from, to, gates, evaluatedAt } = promotion;
  const step = `from ${stageText(from)} to ${stageText(to)}`;
  const verdict = promoted ? colours.green(`promoted ${step}`) : colours.red(`not promoted ${step}`);
  return [`${verdict}, ${moment(evaluatedAt)}`, ...tableLines(COLUMNS, gates.map(rowOf), width)];
}

function rowOf(gate: Gate): string[] {
  return [gate.gate, figureText(gate), thresholdText(gate), verdictText(gate)];
}

/** A gate without a figure says why it fails. */
function verdictText({ passed, causes = [] }: Gate): string {
  if (passed) return 'pass';
  return causes.length === 0
    ? 'fail'
    : `fail: ${causes.map((cause) => cause.replaceAll('_', ' ')).join(', ')}`;
}

/** A gate without a threshold holds or does not; one that has a threshold, and no figure, has nothing to compare. */
function figureText({ figure, threshold }: Gate): string {
  if (figure === null) return threshold === null ? '–' : 'unknown';
  return valueText(figure);
}

function thresholdText({ gate, threshold }: Gate): string {
  if (threshold === null) return '–';
  return `${AT_MOST.has(gate) ? '≤' : '≥'} ${valueText(threshold)}`;
}

function valueText(value: Gate['figure']): string {
  if (typeof value === 'number') return String(Number(value.toFixed(6)));
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value), 40);
}
