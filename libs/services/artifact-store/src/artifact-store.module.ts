import {
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { ARTIFACT_STORE, type ArtifactStore, type Logger } from '@palimpsest/kernel';
import { createArtifactListener, type ArtifactListener } from './http/create-artifact-listener.js';

export type ArtifactStoreModuleOptions = {
  readonly artifactStore: ArtifactStore;
  readonly logger: Logger;
  /** The internal listener; absent where every service lives in this process. */
  readonly listen?: {
    readonly host: string;
    /** 0 takes a free one. */
    readonly port: number;
    readonly serviceToken: string;
  };
};

const OPTIONS = Symbol('ArtifactStoreModuleOptions');

/** Gives the process its artifact store, and serves it to other processes from bootstrap to shutdown. */
@Module({})
export class ArtifactStoreModule implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #options: ArtifactStoreModuleOptions;
  #listener: ArtifactListener | undefined;

  constructor(@Inject(OPTIONS) options: ArtifactStoreModuleOptions) {
    this.#options = options;
  }

  static register(options: ArtifactStoreModuleOptions): DynamicModule {
    return {
      module: ArtifactStoreModule,
      providers: [
        { provide: OPTIONS, useValue: options },
        { provide: ARTIFACT_STORE, useValue: options.artifactStore },
      ],
      exports: [ARTIFACT_STORE],
    };
  }

  async onApplicationBootstrap(): Promise<void> {
    const { artifactStore: store, logger, listen } = this.#options;
    if (!listen) return;
    this.#listener = createArtifactListener({ store, logger, serviceToken: listen.serviceToken });
    const url = await this.#listener.listen(listen.host, listen.port);
    logger.info({ url }, 'artifact store listens');
  }

  async onModuleDestroy(): Promise<void> {
    await this.#listener?.close();
  }
}
