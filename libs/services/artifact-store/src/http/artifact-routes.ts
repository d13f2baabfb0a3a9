import { ARTIFACT_ROUTES, ARTIFACT_TRANSFER, ARTIFACT_TYPES } from '@palimpsest/contracts';
import { TerminalError, ValidationError, type ArtifactStore, type Logger } from '@palimpsest/kernel';
import type { FastifyInstance } from 'fastify';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { logFailure } from './error-replies.js';
import { readPutLines } from './put-lines.js';
import { formatLine, streamReadings } from './read-lines.js';

type TenantParams = { readonly tenantId: string };
type RunParams = TenantParams & { readonly runId: string };
type ArtifactParams = TenantParams & { readonly artifactId: string };

const readBodySchema = z.strictObject({
  artifactIds: z.array(z.string()).max(ARTIFACT_TRANSFER.maxBatch),
});

const checkBodySchema = z.strictObject({
  artifacts: z
    .array(z.strictObject({ artifactId: z.string(), type: z.enum(ARTIFACT_TYPES) }))
    .max(ARTIFACT_TRANSFER.maxBatch),
});

export type ArtifactRouteOptions = { readonly store: ArtifactStore; readonly logger: Logger };

export function artifactRoutes(app: FastifyInstance, { store, logger }: ArtifactRouteOptions): void {
  app.post<{ Params: RunParams }>(ARTIFACT_ROUTES.put, async ({ params, headers, body }) => {
    if (headers['content-type']?.split(';')[0] !== ARTIFACT_TRANSFER.mediaType)
      throw new TerminalError('unsupported_media_type', `A put is ${ARTIFACT_TRANSFER.mediaType}.`);
    const artifacts = await readPutLines(body as Readable);
    return { artifactIds: await store.put(params.tenantId, params.runId, artifacts) };
  });

  app.post<{ Params: TenantParams }>(ARTIFACT_ROUTES.read, async ({ params, body }, reply) => {
    const { artifactIds } = readBody(body);
    const { tenantId } = params;
    const onFailure = (error: unknown) => logFailure(logger, error, { route: ARTIFACT_ROUTES.read });
    const readings = await streamReadings({ store, tenantId, artifactIds, onFailure });
    return reply.type(ARTIFACT_TRANSFER.mediaType).send(readings);
  });

  app.post<{ Params: TenantParams }>(ARTIFACT_ROUTES.unreadable, async ({ params, body }) => {
    return { artifactIds: await store.unreadable(params.tenantId, checkBody(body).artifacts) };
  });

  app.get<{ Params: RunParams & ArtifactParams }>(ARTIFACT_ROUTES.readForRun, async ({ params }, reply) => {
    const reading = await store.getForRun(params.tenantId, params.runId, params.artifactId);
    const end = formatLine({ end: { count: reading ? 1 : 0 } });
    return reply.type(ARTIFACT_TRANSFER.mediaType).send(reading ? formatLine({ reading }) + end : end);
  });

  app.get<{ Params: RunParams & ArtifactParams }>(ARTIFACT_ROUTES.refersTo, async ({ params }) => {
    return { refers: await store.refersTo(params.tenantId, params.runId, params.artifactId) };
  });

  app.put<{ Params: RunParams & { sourceRunId: string } }>(
    ARTIFACT_ROUTES.linkFork,
    async ({ params }, reply) => {
      await store.linkFork(params.tenantId, params.runId, params.sourceRunId);
      return reply.code(204).send();
    },
  );

  app.delete<{ Params: ArtifactParams }>(ARTIFACT_ROUTES.erase, async ({ params }) => {
    return { artifactIds: await store.erase(params.tenantId, params.artifactId) };
  });

  app.delete<{ Params: RunParams }>(ARTIFACT_ROUTES.eraseRun, ({ params }) =>
    store.eraseRun(params.tenantId, params.runId),
  );

  app.get<{ Params: RunParams }>(ARTIFACT_ROUTES.erasedOf, async ({ params }) => {
    return { artifactIds: await store.erasedOf(params.tenantId, params.runId) };
  });
}

function checkBody(body: unknown): z.infer<typeof checkBodySchema> {
  const parsed = checkBodySchema.safeParse(body);
  if (!parsed.success)
    throw new ValidationError(
      `A check is { artifacts }, each { artifactId, type }, at most ${ARTIFACT_TRANSFER.maxBatch}.`,
    );
  return parsed.data;
}

function readBody(body: unknown): z.infer<typeof readBodySchema> {
  const parsed = readBodySchema.safeParse(body);
  if (!parsed.success)
    throw new ValidationError(`A read is { artifactIds }, at most ${ARTIFACT_TRANSFER.maxBatch}.`);
  return parsed.data;
}
