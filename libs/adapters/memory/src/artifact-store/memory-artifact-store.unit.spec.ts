import { artifactStoreContract, testTenantKey } from '@palimpsest/kernel/testing';
import { MemoryArtifactStore } from './memory-artifact-store.js';

artifactStoreContract('memory', async () => {
  const store = new MemoryArtifactStore({ newTenantKey: testTenantKey });
  return {
    store,
    damage: async (tenantId, artifactId) => store.damage(tenantId, artifactId),
    close: () => Promise.resolve(),
  };
});
