import { MemoryArtifactStore } from '@palimpsest/adapter-memory';
import { ARTIFACT_STORE, silentLogger } from '@palimpsest/kernel';
import { ArtifactStoreModule } from './artifact-store.module.js';

const artifactStore = new MemoryArtifactStore();

describe('ArtifactStoreModule', () => {
  it('gives the process the store it is given', () => {
    const module = ArtifactStoreModule.register({ artifactStore, logger: silentLogger });
    expect(module.exports).toEqual([ARTIFACT_STORE]);
    expect(module.providers).toContainEqual({ provide: ARTIFACT_STORE, useValue: artifactStore });
  });

  it('listens from bootstrap to shutdown where it is told to', async () => {
    const urls: string[] = [];
    const logger = { ...silentLogger, info: (fields: object) => urls.push((fields as { url: string }).url) };
    const listen = { host: '127.0.0.1', port: 0, serviceToken: 'a-service-token-for-specs' };
    const module = new ArtifactStoreModule({ artifactStore, logger, listen });
    await module.onApplicationBootstrap();
    expect((await fetch(`${urls[0]}/healthz`)).status).toBe(200);
    await module.onModuleDestroy();
    await expect(fetch(`${urls[0]}/healthz`)).rejects.toThrow();
  });

  it('listens nowhere where every service lives in one process', async () => {
    const module = new ArtifactStoreModule({ artifactStore, logger: silentLogger });
    await module.onApplicationBootstrap();
    await module.onModuleDestroy();
  });
});
