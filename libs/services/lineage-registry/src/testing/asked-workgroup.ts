import type { JsonObject, JsonValue } from '@palimpsest/contracts';
import { REGISTRY_SUBJECTS } from '@palimpsest/contracts/registry';
import type { DecidedTelemetry } from '../domain/workgroup/decision.js';
import { delegationRequests } from '../handlers/delegation-requests.js';
import { sharingRequests } from '../handlers/sharing-requests.js';
import { MemoryWorkgroupStore } from '../store/memory-workgroup-store.js';
import type { RolloutStanding } from '../domain/rollout/rollout.js';
import { NOW, rolloutAt } from './delegations.js';
import { opened, registered } from './sample-events.js';

export const KEY = { tenantId: 'acme', workgroupId: 'wg' };

/** What a workgroup hands on and shares, asked as over the bus, at a time of the test's. */
export class AskedWorkgroup {
  now = NOW;
  rollout: RolloutStanding = rolloutAt('on');
  readonly telemetry: DecidedTelemetry[] = [];
  readonly store = new MemoryWorkgroupStore({
    now: () => this.now,
    rolloutOf: () => this.rollout,
    keepTelemetry: (_, rows) => this.telemetry.push(...rows),
  });
  #ids = 0;
  readonly #handlers = {
    ...sharingRequests({ store: this.store }),
    ...delegationRequests({ store: this.store, ids: { requestId: () => `req_${(this.#ids += 1)}` } }),
  };

  /** Open, in phase 1A; the lineage `one` is held under fence 2. */
  static async opened(): Promise<AskedWorkgroup> {
    const registry = new AskedWorkgroup();
    await registry.store.decide(KEY, () => ({ events: [opened, registered('one', 2)], answer: {} }));
    return registry;
  }

  /** The answer, or the refusal's code. */
  async ask(subject: keyof typeof REGISTRY_SUBJECTS, body: object): Promise<JsonValue> {
    try {
      const answer = await this.#handlers[REGISTRY_SUBJECTS[subject]]?.(body as JsonObject);
      return JSON.parse(JSON.stringify(answer)) as JsonValue;
    } catch (error) {
      return (error as { readonly code: string }).code;
    }
  }

  async types(): Promise<readonly string[]> {
    const events = await this.store.events({ ...KEY, after: 1, limit: 100 });
    return events.map(({ type }) => type.replace('palimpsest.', ''));
  }
}
