import { appendCases, commandCases } from './event-log/append-cases.js';
import { chainCases, tamperingCases } from './event-log/chain-cases.js';
import { contextReferenceCases } from './event-log/context-reference-cases.js';
import { concurrencyCases } from './event-log/concurrency-cases.js';
import { contentCases } from './event-log/content-cases.js';
import { forkCases, lineageCases } from './event-log/fork-cases.js';
import type { EventLogHarness } from './event-log/harness.js';
import { hugePayloadCases, largePayloadCases, readCases, typeCases } from './event-log/read-cases.js';
import { reEmissionCases } from './event-log/re-emission-cases.js';
import { subscriptionCases } from './event-log/subscription-cases.js';
import { listCases, tenantCases } from './event-log/tenant-and-list-cases.js';
import { wholeLogCases } from './event-log/whole-log-cases.js';

export type EventLogContractOptions = {
  /** False for an adapter that serves single runs only: no `readAll`, no `subscribe`. Default true. */
  readonly wholeLog?: boolean;
  /** False for an adapter that refuses payloads above 64 KiB itself. Default true. */
  readonly hugePayloads?: boolean;
};

/** What every `EventLog` keeps. `open` is called once; every case has a tenant of its own. */
export function eventLogContract(
  name: string,
  open: () => Promise<EventLogHarness>,
  options: EventLogContractOptions = {},
): void {
  describe(`EventLog: ${name}`, () => {
    let harness: EventLogHarness;
    let tenants = 0;
    const openCase = () => ({ log: harness.log, tenantId: `tenant-${(tenants += 1)}` });

    beforeAll(async () => {
      harness = await open();
    });
    afterAll(() => harness.close());

    describe('append', () => appendCases(openCase));
    describe('commands', () => commandCases(openCase));
    describe('content', () => contentCases(openCase));
    describe('concurrency', () => concurrencyCases(openCase));
    describe('reading a run', () => readCases(openCase));
    describe('types', () => typeCases(openCase));
    describe('large payloads', () => largePayloadCases(openCase));
    if (options.hugePayloads !== false) describe('huge payloads', () => hugePayloadCases(openCase));
    describe('forks', () => forkCases(openCase));
    describe('lineage', () => lineageCases(openCase));
    describe('chain', () => chainCases(openCase));
    describe('tampering', () => tamperingCases(openCase));
    describe('re-emission', () => reEmissionCases(openCase));
    describe('context references', () => contextReferenceCases(openCase));
    describe('tenants', () => tenantCases(openCase));
    describe('lists', () => listCases(openCase));
    if (options.wholeLog === false) return;
    describe('the whole log', () => wholeLogCases(openCase));
    describe('subscriptions', () => subscriptionCases(openCase));
  });
}
