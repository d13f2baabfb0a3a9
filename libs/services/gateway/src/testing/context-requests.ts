import { CAPSULE, NOON } from '@palimpsest/context-efficiency/testing';
import type { SampleRequest } from './workgroup-requests.js';

const EVENT = { event: 'worker_usage', observed_at: NOON, provider: 'other' };
const environment = '/v1/rollouts/staging';
const family = 'capsules';

/** A request that each operation takes, of those that keep what is decided by the contract. */
export const CONTEXT_REQUESTS = {
  recordCapsule: {
    url: `/v1/workgroups/${CAPSULE.workgroup_id}/capsules`,
    json: { capsule: CAPSULE },
    other: { capsule: CAPSULE, maxBytes: 500 },
  },
  recordTelemetry: {
    url: '/v1/telemetry/events',
    json: { events: [{ id: 'a', event: EVENT }] },
    other: { events: [{ id: 'b', event: EVENT }] },
  },
  changeStage: {
    url: environment,
    json: { family, stage: 'off' },
    other: { family, stage: 'observe' },
  },
  selectRollout: {
    url: `${environment}:select`,
    json: { family, actualMode: 'local' },
    other: { family, actualMode: 'resume' },
  },
  promoteRollout: {
    url: `${environment}/promotions`,
    json: { family, pairs: [{}], measurementEnvelope: {} },
    other: { family, pairs: [{}], measurementEnvelope: {}, expectedVersion: 1 },
  },
} as const satisfies Readonly<Record<string, SampleRequest>>;
