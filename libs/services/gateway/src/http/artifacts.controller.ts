import { Controller, Inject, Param } from '@nestjs/common';
import { artifactIdSchema, type JsonValue } from '@palimpsest/contracts';
import {
  ARTIFACT_STORE,
  ArtifactErasedError,
  isErased,
  NotFoundError,
  type ArtifactStore,
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
    parseRequest(pathIdSchema, artifactId, 'artifactId');
    const known = artifactIdSchema.safeParse(artifactId).success;
    const reading = known ? await this.artifacts.getForRun(run.tenantId, run.runId, artifactId) : undefined;
    if (!reading) throw new NotFoundError('The artifact');
    if (isErased(reading)) throw new ArtifactErasedError(artifactId);
    const { type, createdAt, content } = reading;
    return { artifactId, runId: run.runId, artifactType: type, createdAt, content };
  }
}
