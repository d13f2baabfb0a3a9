import type { LineageView, OwnedPath, WorkgroupView } from '../client/registry-api.js';
import { tableLines, type Column } from '../output/table.js';
import { moment, plural, printableAnswer } from '../output/text.js';
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
  const answer = { workgroup, lineages, paths };
  if (options.json) return output.json(answer);
  output.lines(workgroupLines(printableAnswer(answer), output.width));
}

type Shown = {
  readonly workgroup: WorkgroupView;
  readonly lineages: readonly LineageView[];
  readonly paths: readonly OwnedPath[];
};

function workgroupLines({ workgroup, lineages, paths }: Shown, width: number | undefined): string[] {
  return [
    ...standingLines(workgroup),
    ...(lineages.length > 0 ? ['', ...tableLines(LINEAGES, lineages.map(lineageRow), width)] : []),
    ...(paths.length > 0 ? ['', ...tableLines(PATHS, paths.map(pathRow), width)] : []),
  ];
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
  return typeof value === 'string' ? value : '';
}

const PATHS: readonly Column[] = [
  { title: 'path', flexible: true },
  { title: 'owned by' },
  { title: 'role', dropFirst: 1 },
  { title: 'fence', right: true },
  { title: 'until', dropFirst: 2 },
];

function pathRow({ path, lineageId, role, fence, expiresAt }: OwnedPath): string[] {
  return [path, lineageId, role, String(fence), moment(expiresAt)];
}
