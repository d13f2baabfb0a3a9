import type { ArtifactStore, IdSource } from '@palimpsest/kernel';
import type { RolloutStore } from '../store/rollout-store.js';
import type { TelemetryStore } from '../store/telemetry-store.js';
import type { WorkgroupStore } from '../store/workgroup-store.js';
import { delegationRequests } from './delegation-requests.js';
import { lineageRequests } from './lineage-requests.js';
import type { RequestHandlers } from './request-handlers.js';
import { rolloutRequests } from './rollout-requests.js';
import { sharingRequests } from './sharing-requests.js';
import { telemetryRequests } from './telemetry-requests.js';
import { workgroupRequests } from './workgroup-requests.js';

export type RegistryPorts = {
  readonly workgroups: WorkgroupStore;
  readonly rollouts: RolloutStore;
  readonly telemetry: TelemetryStore;
  /** Evidence of promotions. */
  readonly artifacts: ArtifactStore;
  readonly ids: IdSource;
  /** A JSON text (contract §12.5); absent: no measurement is trusted. */
  readonly trustedMeasurementKeys?: string | undefined;
};

/** All that the registry answers; no subject stands in two of them. */
export function registryRequests(ports: RegistryPorts): readonly RequestHandlers[] {
  const { workgroups: store, rollouts, telemetry, artifacts, ids } = ports;
  return [
    workgroupRequests({ store }),
    lineageRequests({ store }),
    delegationRequests({ store, ids }),
    sharingRequests({ store }),
    rolloutRequests({ rollouts, telemetry, artifacts, ids, trustedKeys: ports.trustedMeasurementKeys }),
    telemetryRequests({ telemetry }),
  ];
}
