import type { LineageDocument } from '../client/registry-api.js';
import { tableLines, type Column } from '../output/table.js';
import { moment, printableAnswer } from '../output/text.js';
import type { CommonOptions, Session } from '../program/session.js';

/** `palimpsest lineage show <lineage>` */
export async function showLineage(
  lineageId: string,
  options: CommonOptions,
  session: Session,
): Promise<void> {
  const { output } = session;
  const answer = await (await session.api(options)).registry.readLineage(lineageId);
  if (options.json) return output.json(answer);
  const lineage = printableAnswer(answer);
  output.lines(standingLines(lineage));
  if (lineage.refusals.length === 0) return output.line('never refused');
  output.lines(['', ...tableLines(REFUSALS, lineage.refusals.map(refusalRow), output.width)]);
}

function standingLines(lineage: LineageDocument): string[] {
  const { lineageId, workgroupId, status, eviction, lease, record, grant, depth } = lineage;
  return [
    `${lineageId} in ${workgroupId}: ${status}${eviction === undefined ? '' : `, ${eviction}`}`,
    `${textOf(record['role'])} in phase ${textOf(record['phase'])}, context: ${grant}, depth ${depth}`,
    ...(lease ? [`fence ${lease.fence}, until ${moment(lease.expiresAt)}`] : []),
    ...(lineage.reconcileRequired ? ['has to be reconciled with a capsule before it goes on'] : []),
    ...(lineage.ownedPaths.length > 0 ? [pathsLine(lineage)] : []),
  ];
}

/** They are owned while somebody holds the lineage, and no longer. */
function pathsLine({ status, ownedPaths }: LineageDocument): string {
  return `${status === 'held' ? 'owns' : 'owned'}: ${ownedPaths.join(', ')}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : 'unknown';
}

const REFUSALS: readonly Column[] = [
  { title: 'refused' },
  { title: 'code' },
  { title: 'found', dropFirst: 1 },
  { title: 'why', flexible: true },
];

function refusalRow({
  refusedAt,
  code,
  state,
  invalidations,
  reasonCodes = [],
}: LineageDocument['refusals'][number]): string[] {
  return [moment(refusedAt), code, state ?? '', [...invalidations, ...reasonCodes].join(', ')];
}
