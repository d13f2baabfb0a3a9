import { erasureCases } from './artifact-store/erasure-cases.js';
import { forkCases } from './artifact-store/fork-cases.js';
import type { ArtifactStoreHarness } from './artifact-store/harness.js';
import { putAndGetCases, sizeAndRaceCases } from './artifact-store/put-and-get-cases.js';
import { runErasureCases } from './artifact-store/run-erasure-cases.js';
import { unreadableCases } from './artifact-store/unreadable-cases.js';

/** What every `ArtifactStore` keeps. `open` is called once; every case has a tenant of its own. */
export function artifactStoreContract(name: string, open: () => Promise<ArtifactStoreHarness>): void {
  describe(`ArtifactStore: ${name}`, () => {
    let harness: ArtifactStoreHarness;
    let tenants = 0;
    const openCase = () => ({ ...harness, tenantId: `tenant-${(tenants += 1)}` });

    beforeAll(async () => {
      harness = await open();
    });
    afterAll(() => harness.close());

    describe('put and get', () => putAndGetCases(openCase));
    describe('sizes and races', () => sizeAndRaceCases(openCase));
    describe('runs and forks', () => forkCases(openCase));
    describe('erasure', () => erasureCases(openCase));
    describe('erasure of a run', () => runErasureCases(openCase));
    describe('what cannot be read', () => unreadableCases(openCase));
  });
}
