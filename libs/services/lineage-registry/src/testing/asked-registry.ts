import type { JsonValue } from '@palimpsest/contracts';
import { REGISTRY_SUBJECTS } from '@palimpsest/contracts/registry';
import type { PalimpsestError } from '@palimpsest/kernel';
import { lineageRequests } from '../handlers/lineage-requests.js';
import { workgroupRequests } from '../handlers/workgroup-requests.js';
import { MemoryWorkgroupStore } from '../store/memory-workgroup-store.js';
import type { WorkgroupEvent } from '../domain/workgroup/workgroup-events.js';
import { NOON, TENANT, WORKGROUP } from './lineage-records.js';

/** Requests about workgroups and lineages, over a store in memory, at a time of the test's. */
export class AskedRegistry {
  now = NOON;
  readonly store = new MemoryWorkgroupStore({ now: () => this.now });
  readonly #handlers = { ...workgroupRequests(this), ...lineageRequests(this) };

  async ask(name: keyof typeof REGISTRY_SUBJECTS, body: object): Promise<Record<string, unknown>> {
    const handle = this.#handlers[REGISTRY_SUBJECTS[name]];
    // As it would cross the bus.
    const answer = await handle?.(JSON.parse(JSON.stringify(body)) as JsonValue);
    return JSON.parse(JSON.stringify(answer)) as Record<string, unknown>;
  }

  /** The error of a request that is refused. */
  async refusal(name: keyof typeof REGISTRY_SUBJECTS, body: object): Promise<PalimpsestError | undefined> {
    try {
      await this.ask(name, body);
      return undefined;
    } catch (error) {
      return error as PalimpsestError;
    }
  }

  /** What other requests would record. */
  async record(...events: readonly WorkgroupEvent[]): Promise<void> {
    await this.store.decide({ tenantId: TENANT, workgroupId: WORKGROUP }, () => ({ events, answer: {} }));
  }
}
