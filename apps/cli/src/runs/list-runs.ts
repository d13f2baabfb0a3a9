import type { RunSnapshot } from '@palimpsest/client';
import type { PalimpsestApi, RunStatus } from '../client/palimpsest-api.js';
import { tableLines, type Column } from '../output/table.js';
import { count, moment } from '../output/text.js';
import type { CommonOptions, Session } from '../program/session.js';

export type ListOptions = CommonOptions & { readonly limit: number; readonly status?: RunStatus };

const COLUMNS: readonly Column[] = [
  { title: 'run' },
  { title: 'status' },
  { title: 'workflow', dropFirst: 3 },
  { title: 'started', dropFirst: 2 },
  { title: 'messages', right: true },
  { title: 'budget', right: true },
  { title: 'from', dropFirst: 1 },
];

/** `palimpsest runs` */
export async function listRuns(options: ListOptions, session: Session): Promise<void> {
  const { output } = session;
  const { runs, more } = await readRuns(await session.api(options), options);
  if (options.json) return output.json({ runs, more });
  if (runs.length === 0) return output.note('No runs yet. Make one: npx palimpsest import <file>');
  output.lines(tableLines(COLUMNS, runs.map(rowOf), output.width));
  if (more) output.note(`There are older ones: --limit ${options.limit * 2}`);
}

const PAGE = 100;

async function readRuns(
  api: PalimpsestApi,
  { limit, status }: ListOptions,
): Promise<{ runs: RunSnapshot[]; more: boolean }> {
  const runs: RunSnapshot[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.listRuns({
      limit: Math.min(PAGE, limit - runs.length),
      ...(status !== undefined && { status }),
      ...(cursor !== undefined && { cursor }),
    });
    runs.push(...page.runs);
    cursor = page.nextCursor;
  } while (cursor !== undefined && runs.length < limit);
  return { runs, more: cursor !== undefined };
}

function rowOf(run: RunSnapshot): string[] {
  const context = run.configurable?.context;
  return [
    run.runId,
    run.status,
    run.workflowId,
    moment(run.startedAt),
    run.messageCount === undefined ? '–' : count(run.messageCount),
    context ? `${count(context.transcriptTokenBudget)} ${context.tokenCounter.replace('_base', '')}` : '–',
    run.sourceRunId === undefined ? '' : `${run.mode ?? 'fork'} of ${run.sourceRunId} at ${run.fromSeq ?? 0}`,
  ];
}
