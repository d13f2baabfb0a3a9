import type { JsonValue } from '@palimpsest/contracts';
import {
  lineageQuerySchema,
  listLineagesSchema,
  ownedPathsQuerySchema,
  workgroupQuerySchema,
  type LineageDocument,
  type LineageList,
  type OwnedPaths,
  type WorkgroupQuery,
} from '@palimpsest/contracts/registry';
import { NotFoundError, parseRequest } from '@palimpsest/kernel';
import { asOf, lineageAsOf, lineageViews, ownedPathsOf, viewOf } from '../domain/workgroup/views.js';
import type { Workgroup } from '../domain/workgroup/workgroup.js';
import type { RecordedWorkgroupEvent } from '../domain/workgroup/workgroup-events.js';
import type { WorkgroupStore } from '../store/workgroup-store.js';
import { boundedPage } from './bounded-page.js';
import { findLineage } from './decide-command.js';
import { parsePublic } from './parse-public.js';

type Ports = { readonly store: WorkgroupStore };

const MOST_REFUSALS = 20;
const MOST_EVICTED = 200;

export async function readLineage(ports: Ports, body: JsonValue): Promise<JsonValue> {
  const query = parsePublic(lineageQuerySchema, body);
  const { workgroupId, lineage, now } = await findLineage(ports, query);
  const type = 'palimpsest.lineage.refused';
  const refused = await ports.store.lastEvents({ ...query, workgroupId, type, limit: MOST_REFUSALS });
  const view = viewOf(lineageAsOf(lineage, now), workgroupId);
  const document: LineageDocument = { ...view, refusals: refused.flatMap(refusalView) };
  return document as JsonValue;
}

export async function listLineages(ports: Ports, body: JsonValue): Promise<JsonValue> {
  const { evicted = false, after = '', ...query } = parsePublic(listLineagesSchema, body);
  const workgroup = await readAsOfNow(ports, query, evicted ? MOST_EVICTED : 0);
  const listed = lineageViews(workgroup)
    // What has expired and is not swept yet has left, too.
    .filter(({ status }) => evicted || status !== 'evicted')
    .filter(({ lineageId }) => lineageId > after);
  const { items, hasMore } = boundedPage(listed);
  const next = hasMore ? items.at(-1)?.lineageId : undefined;
  const list: LineageList = {
    workgroupId: query.workgroupId,
    lineages: [...items],
    ...(next !== undefined && { next }),
  };
  return list as JsonValue;
}

export async function ownedPaths(ports: Ports, body: JsonValue): Promise<JsonValue> {
  const { after = '', ...query } = parseRequest(ownedPathsQuerySchema, body);
  // The place may be any owned path, and is told to nobody.
  parsePublic(workgroupQuerySchema, query);
  const owned = ownedPathsOf(await readAsOfNow(ports, query));
  const { items, hasMore } = boundedPage(owned.filter(({ path }) => path > after));
  const next = hasMore ? items.at(-1)?.path : undefined;
  const answer: OwnedPaths = {
    workgroupId: query.workgroupId,
    paths: [...items],
    ...(next !== undefined && { next }),
  };
  return answer as JsonValue;
}

async function readAsOfNow({ store }: Ports, query: WorkgroupQuery, evicted = 0): Promise<Workgroup> {
  const { tenantId, workgroupId } = query;
  const reading = await store.read(tenantId, workgroupId, evicted);
  if (!reading) throw new NotFoundError('The workgroup', { workgroupId });
  return asOf(reading);
}

function refusalView(event: RecordedWorkgroupEvent): LineageDocument['refusals'] {
  if (event.type !== 'palimpsest.lineage.refused') return [];
  const { sequence, recordedAt, payload } = event;
  const { code, state, invalidations, reasonCodes } = payload;
  return [
    {
      sequence,
      refusedAt: recordedAt,
      code,
      ...(state !== null && { state }),
      invalidations: [...invalidations],
      ...(reasonCodes && { reasonCodes: [...reasonCodes] }),
    },
  ];
}
