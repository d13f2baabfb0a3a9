import { Controller, Inject, Param } from '@nestjs/common';
import { artifactIdSchema, type JsonValue, type RunHeader } from '@palimpsest/contracts';
import {
  ARTIFACT_STORE,
  ArtifactErasedError,
  isErased,
  NotFoundError,
  type ArtifactReading,
  type ArtifactStore,
  type RunErasure,
} from '@palimpsest/kernel';
import { parseRequest } from '../domain/parse-request.js';
import { pathIdSchema } from '../domain/requests.js';
import { RunAccess } from '../handlers/run-access.js';
import { Exchange } from './exchange.decorator.js';
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
    @Inject(ARTIFACT_STORE) private readonly artifacts: ArtifactStore,
  ) {}

  @Operation('readArtifact')
  async read(
    @Exchange() { tenantId }: Exchange,
    @Param('runId') runId: string,
    @Param('artifactId') artifactId: string,
  ): Promise<ArtifactDocument> {
    const run = await this.runs.header(tenantId, runId);
    const reading = await this.find(run, artifactId);
    if (isErased(reading)) throw new ArtifactErasedError(artifactId);
    const { type, createdAt, content } = reading;
    return { artifactId, runId: run.runId, artifactType: type, createdAt, content };
  }

  /** Whoever refers to it: what is erased is erased for every run. */
  @Operation('eraseArtifact')
  async erase(
    @Exchange() { tenantId }: Exchange,
    @Param('runId') runId: string,
    @Param('artifactId') artifactId: string,
  ): Promise<{ readonly artifactIds: readonly string[] }> {
    const run = await this.runs.header(tenantId, runId);
    await this.find(run, artifactId);
    return { artifactIds: await this.artifacts.erase(run.tenantId, artifactId) };
  }

  @Operation('eraseContent')
  async eraseRun(
    @Exchange() { tenantId }: Exchange,
    @Param('runId') runId: string,
  ): Promise<RunErasure & { readonly runId: string }> {
    const run = await this.runs.header(tenantId, runId);
    return { runId: run.runId, ...(await this.artifacts.eraseRun(run.tenantId, run.runId)) };
  }

  /** What the run refers to. An id that none can have is answered like one that is not there. */
  private async find(run: RunHeader, artifactId: string): Promise<ArtifactReading> {
    parseRequest(pathIdSchema, artifactId, 'artifactId');
    const known = artifactIdSchema.safeParse(artifactId).success;
    const reading = known ? await this.artifacts.getForRun(run.tenantId, run.runId, artifactId) : undefined;
    if (!reading) throw new NotFoundError('The artifact');
    return reading;
  }
}
