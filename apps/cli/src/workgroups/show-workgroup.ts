import type { LineageView, OwnedPath, WorkgroupView } from '../client/registry-api.js';
import { tableLines, type Column } from '../output/table.js';
import { moment, plural, printable } from '../output/text.js';
import type { CommonOptions, Session } from '../program/session.js';
import { allLineages, allOwnedPaths } from './all-pages.js';

export type ShowWorkgroupOptions = CommonOptions & { readonly evicted?: boolean };

/** `palimpsest workgroup show <workgroup>` */
export async function showWorkgroup(
  workgroupId: string,
  options: ShowWorkgroupOptions,
  session: Session,
): Promise<void> {
  const { output } = session;
  const { registry } = await session.api(options);
  const workgroup = await registry.readWorkgroup(workgroupId);
  const [lineages, paths] = await Promise.all([
    allLineages(registry, workgroupId, options.evicted === true),
    allOwnedPaths(registry, workgroupId),
  ]);
  if (options.json) return output.json({ workgroup, lineages, paths });
  output.lines(standingLines(workgroup));
  if (lineages.length > 0)
    output.lines(['', ...tableLines(LINEAGES, lineages.map(lineageRow), output.width)]);
  if (paths.length > 0) output.lines(['', ...tableLines(PATHS, paths.map(pathRow), output.width)]);
}

function standingLines({ workgroupId, phase, coordinator, approvals, lineages }: WorkgroupView): string[] {
  const last = approvals.at(-1);
  return [
    `${workgroupId}: phase ${phase}, ${plural(lineages.held, 'lineage')} held, ${lineages.idle} idle`,
    coordinator
      ? `coordinator: fence ${coordinator.fence}, until ${moment(coordinator.expiresAt)}`
      : 'coordinator: nobody',
    ...(last
      ? [`approved last: ${last.subject} in phase ${last.phase}${last.finalGate ? ', final gate' : ''}`]
      : []),
  ];
}

const LINEAGES: readonly Column[] = [
  { title: 'lineage' },
  { title: 'status' },
  { title: 'role' },
  { title: 'phase', dropFirst: 2 },
  { title: 'context', dropFirst: 1 },
  { title: 'writes' },
  { title: 'fence', right: true },
  { title: 'until', dropFirst: 3 },
];

function lineageRow(lineage: LineageView): string[] {
  const { lineageId, status, eviction, record, grant, isWriter, lease } = lineage;
  return [
    lineageId,
    eviction === undefined ? status : `${status}: ${eviction}`,
    textOf(record['role']),
    textOf(record['phase']),
    grant,
    isWriter ? 'yes' : 'no',
    lease ? String(lease.fence) : '',
    lease ? moment(lease.expiresAt) : '',
  ];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? printable(value) : '';
}

const PATHS: readonly Column[] = [
  { title: 'path', flexible: true },
  { title: 'owned by' },
  { title: 'role', dropFirst: 1 },
  { title: 'fence', right: true },
  { title: 'until', dropFirst: 2 },
];

function pathRow({ path, lineageId, role, fence, expiresAt }: OwnedPath): string[] {
  return [printable(path), lineageId, printable(role), String(fence), moment(expiresAt)];
}
