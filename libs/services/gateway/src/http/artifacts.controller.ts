import { Controller, Inject, Param } from '@nestjs/common';
import { artifactIdSchema, type JsonValue } from '@palimpsest/contracts';
import {
  ARTIFACT_STORE,
  ArtifactErasedError,
  isErased,
  NotFoundError,
  type ArtifactStore,
  type RunErasure,
} from '@palimpsest/kernel';
import { parseOptionalBody, parseRequest } from '../domain/parse-request.js';
import { emptyRequestSchema, pathIdSchema } from '../domain/requests.js';
import { RunAccess } from '../handlers/run-access.js';
import { Exchange } from './exchange.decorator.js';
import { KeyedRequests } from './keyed-requests.js';
import { Operation } from './operation.decorator.js';

type ArtifactDocument = {
  readonly artifactId: string;
  readonly runId: string;
  readonly artifactType: string;
  readonly createdAt: string;
  readonly content: JsonValue;
};

@Controller()
export class ArtifactsController {
  constructor(
    @Inject(RunAccess) private readonly runs: RunAccess,
    @Inject(KeyedRequests) private readonly keyed: KeyedRequests,
    @Inject(ARTIFACT_STORE) private readonly artifacts: ArtifactStore,
  ) {}

  @Operation('readArtifact')
  async read(
    @Exchange() { tenantId }: Exchange,
    @Param('runId') runId: string,
    @Param('artifactId') artifactId: string,
  ): Promise<ArtifactDocument> {
    const run = await this.runs.header(tenantId, runId);
    const known = knownId(artifactId);
    const reading = known && (await this.artifacts.getForRun(run.tenantId, run.runId, known));
    if (!reading) throw new NotFoundError('The artifact');
    if (isErased(reading)) throw new ArtifactErasedError(artifactId);
    const { type, createdAt, content } = reading;
    return { artifactId, runId: run.runId, artifactType: type, createdAt, content };
  }

  /** Whoever refers to it: what is erased is erased for every run. Damaged content goes as well; none is read. */
  @Operation('eraseArtifact')
  async erase(
    @Exchange() exchange: Exchange,
    @Param('runId') runId: string,
    @Param('artifactId') artifactId: string,
  ): Promise<{ readonly artifactIds: readonly string[] }> {
    const run = await this.runs.header(exchange.tenantId, runId);
    const known = knownId(artifactId);
    parseOptionalBody(emptyRequestSchema, exchange.request.body);
    if (!known || !(await this.artifacts.refersTo(run.tenantId, run.runId, known)))
      throw new NotFoundError('The artifact');
    return this.keyed.run(exchange, async () => ({
      artifactIds: await this.artifacts.erase(run.tenantId, known),
    }));
  }

  @Operation('eraseContent')
  async eraseRun(
    @Exchange() exchange: Exchange,
    @Param('runId') runId: string,
  ): Promise<RunErasure & { readonly runId: string }> {
    const run = await this.runs.header(exchange.tenantId, runId);
    parseOptionalBody(emptyRequestSchema, exchange.request.body);
    return this.keyed.run(exchange, async () => ({
      runId: run.runId,
      ...(await this.artifacts.eraseRun(run.tenantId, run.runId)),
    }));
  }
}

/** An id that no artifact can have is answered like one that is not there. */
function knownId(artifactId: string): string | undefined {
  parseRequest(pathIdSchema, artifactId, 'artifactId');
  return artifactIdSchema.safeParse(artifactId).data;
}
