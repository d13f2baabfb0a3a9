import { ARTIFACT_TRANSFER } from '@palimpsest/contracts';
import { NotFoundError, type ArtifactStore, type Logger } from '@palimpsest/kernel';
import fastify, { type FastifyInstance } from 'fastify';
import { artifactRoutes } from './artifact-routes.js';
import { replyWithError } from './error-replies.js';
import { serviceTokenCheck } from './service-token.js';

const HEALTH = '/healthz';

/** A whole request must arrive within this. */
const REQUEST_TIMEOUT_MS = 60_000;

export type ArtifactListenerOptions = {
  readonly store: ArtifactStore;
  /** At least 16 characters. */
  readonly serviceToken: string;
  readonly logger: Logger;
};

export type ArtifactListener = {
  /** Port 0 takes a free one. Returns the URL it can be reached under. */
  listen(host: string, port: number): Promise<string>;
  /** Takes no more requests and waits for those at work. */
  close(): Promise<void>;
};

/** The internal door to content, for the other services. Everything but `/healthz` asks for the service token. */
export function createArtifactListener(options: ArtifactListenerOptions): ArtifactListener {
  const app = createArtifactApp(options);
  return {
    listen: (host, port) => app.listen({ host, port }),
    close: async () => {
      await app.close();
    },
  };
}

export function createArtifactApp({ store, serviceToken, logger }: ArtifactListenerOptions): FastifyInstance {
  const check = serviceTokenCheck(serviceToken);
  const onError = replyWithError(logger);
  const app = fastify({
    logger: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, request, reply) => onError(error, request, reply),
  });
  app.addContentTypeParser(ARTIFACT_TRANSFER.mediaType, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async ({ headers, url }) => {
    if (url !== HEALTH) check(headers.authorization);
  });
  app.setErrorHandler(onError);
  app.setNotFoundHandler(() => Promise.reject(new NotFoundError('The route')));
  app.get(HEALTH, () => ({ status: 'ok' }));
  artifactRoutes(app, { store, logger });
  return app;
}
