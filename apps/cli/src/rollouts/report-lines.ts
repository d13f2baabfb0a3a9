import type { RolloutReport } from '../client/registry-api.js';
import type { Output } from '../output/output.js';
import { tableLines, type Column } from '../output/table.js';
import { count, moment } from '../output/text.js';
import { gateLines } from './gate-lines.js';
import { stageText } from './stage-text.js';

type Look = Pick<Output, 'colours' | 'width'>;
type Observed = RolloutReport['observed'][number];

/** What a person reads of a report. A logical reduction is no saving in money, so none is shown. */
export function reportLines(report: RolloutReport, look: Look): string[] {
  return [
    ...standingLines(report),
    '',
    ...(report.promotion ? gateLines(report.promotion, look) : ['no promotion was asked for']),
    '',
    ...observedLines(report.observed, look),
    ...historyLines(report.history),
  ];
}

function standingLines({ rollout, environment }: RolloutReport): string[] {
  const { family, since, candidate, version } = rollout;
  const sinceText = since === null ? '' : ` since ${moment(since)}`;
  return [
    `${family} in ${environment}: ${stageText(rollout)}${sinceText}, version ${version}`,
    activityText(rollout),
    ...(version === 0 ? [unknownText(environment)] : []),
    ...(candidate
      ? [
          `candidate ${candidate.candidateVersion}, measured on corpus ${candidate.corpusVersion}`,
          `runtime ${candidate.runtimeDigest}`,
        ]
      : []),
  ];
}

/** Any name has a report: one that is misspelt is told apart from one that was never set. */
function unknownText(environment: string): string {
  return `no family of this name ever left "off" here; those that did: npx palimpsest rollout show ${environment}`;
}

function activityText({ stage, active }: RolloutReport['rollout']): string {
  if (stage === 'off') return 'not active: off decides nothing';
  return active
    ? 'active: the selector was called in this stage, and its event recorded'
    : 'not active: the selector was not called in this stage yet';
}

const COLUMNS: readonly Column[] = [
  { title: 'mode' },
  { title: 'events', right: true },
  { title: 'billed cost', right: true },
  { title: 'billed tokens', right: true, dropFirst: 1 },
  { title: 'files read again', right: true },
  { title: 'latency', right: true },
];

function observedLines(observed: RolloutReport['observed'], { width }: Look): string[] {
  if (observed.length === 0) return ['seen: nothing yet'];
  return [
    'seen, as means of what is known (of how many events in parentheses)',
    ...tableLines(COLUMNS, observed.map(rowOf), width),
  ];
}

function rowOf({ mode, events, billed, rediscovery, latency }: Observed): string[] {
  return [
    mode ?? 'unknown',
    count(events),
    meanText(billed.meanAmount, billed.known, (mean) =>
      `${decimal(mean, 6)} ${billed.currency ?? ''}`.trimEnd(),
    ),
    billed.meanTokens === null ? UNKNOWN : count(Math.round(billed.meanTokens)),
    meanText(rediscovery.meanRepeatedFileReads, rediscovery.known, (mean) => decimal(mean, 2)),
    meanText(latency.meanElapsedMs, latency.known, (mean) => `${count(Math.round(mean))} ms`),
  ];
}

const UNKNOWN = 'unknown';

/** Unknown is not 0. */
function meanText(mean: number | null, known: number, text: (mean: number) => string): string {
  return mean === null ? UNKNOWN : `${text(mean)} (${count(known)})`;
}

function decimal(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}

const SHOWN_CHANGES = 8;

/** Newest last. */
function historyLines(history: RolloutReport['history']): string[] {
  if (history.length === 0) return [];
  return [
    '',
    'stages',
    ...history
      .slice(-SHOWN_CHANGES)
      .map((change) => `  ${moment(change.changedAt)}  ${stageText(change)}  by ${change.by}`),
  ];
}
