import {
  evictLineageSchema,
  inheritLineageSchema,
  recordResultSchema,
  registerLineageSchema,
  REGISTRY_SUBJECTS,
  releaseLineageSchema,
  renewLineageSchema,
  resumeLineageSchema,
} from '@palimpsest/contracts/registry';
import { factOf, type Facts } from '@palimpsest/context-efficiency';
import { decideEvict } from '../domain/workgroup/evict.js';
import { decideRelease, decideRenew } from '../domain/workgroup/hold-lineage.js';
import { decideInherit } from '../domain/workgroup/inherit.js';
import { decideRecordResult } from '../domain/workgroup/record-result.js';
import { decideRegister } from '../domain/workgroup/register.js';
import { decideResume } from '../domain/workgroup/resume.js';
import type { WorkgroupStore } from '../store/workgroup-store.js';
import { onLineage, onWorkgroup } from './decide-command.js';
import { listLineages, ownedPaths, readLineage } from './read-lineages.js';
import { reconcile } from './reconcile-lineage.js';
import type { RequestHandlers } from './request-handlers.js';

type Ports = { readonly store: WorkgroupStore };

/** Lineages: registered, resumed, handed on, held, and who owns what. */
export function lineageRequests(ports: Ports): RequestHandlers {
  return { ...grants(ports), ...holding(ports), ...views(ports) };
}

function grants(ports: Ports): RequestHandlers {
  return {
    [REGISTRY_SUBJECTS.register]: onWorkgroup(ports, {
      schema: registerLineageSchema,
      decide: decideRegister,
      named: ({ record }) => idsIn(record, ['lineage_id', 'parent_lineage_id']),
    }),
    [REGISTRY_SUBJECTS.resume]: onLineage(ports, { schema: resumeLineageSchema, decide: decideResume }),
    [REGISTRY_SUBJECTS.inherit]: onLineage(ports, {
      schema: inheritLineageSchema,
      decide: decideInherit,
      named: ({ record }) => idsIn(record, ['lineage_id']),
    }),
  };
}

function holding(ports: Ports): RequestHandlers {
  return {
    [REGISTRY_SUBJECTS.renew]: onLineage(ports, { schema: renewLineageSchema, decide: decideRenew }),
    [REGISTRY_SUBJECTS.reconcile]: (body) => reconcile(ports, body),
    [REGISTRY_SUBJECTS.release]: onLineage(ports, { schema: releaseLineageSchema, decide: decideRelease }),
    [REGISTRY_SUBJECTS.evict]: onLineage(ports, { schema: evictLineageSchema, decide: decideEvict }),
    [REGISTRY_SUBJECTS.recordResult]: onLineage(ports, {
      schema: recordResultSchema,
      decide: decideRecordResult,
    }),
  };
}

function views(ports: Ports): RequestHandlers {
  return {
    [REGISTRY_SUBJECTS.readLineage]: (body) => readLineage(ports, body),
    [REGISTRY_SUBJECTS.listLineages]: (body) => listLineages(ports, body),
    [REGISTRY_SUBJECTS.ownedPaths]: (body) => ownedPaths(ports, body),
  };
}

/** What a record calls a lineage, where it is an id at all: that is judged later. */
function idsIn(record: Facts, fields: readonly string[]): readonly string[] {
  return fields.map((field) => factOf(record, field)).filter((id) => typeof id === 'string');
}
