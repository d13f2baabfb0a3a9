import type { WorkflowDefinition } from '@palimpsest/contracts';
import type { Clock, Logger } from '@palimpsest/kernel';
import { modelLoopOf, SIDE_EFFECT } from '@palimpsest/workflow';
import {
  DefinitionFileError,
  FIXTURES_DIRECTORY,
  readDefinitionFiles,
  type DefinitionFile,
} from './definition-files.js';
import { MOCK_PROVIDER } from '../mock-provider/mock-program-store.js';
import { HOST, type DefinitionStore } from './definition-store.js';

export type Seeding = {
  readonly definitions: DefinitionStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A folder of the operator's definitions. */
  readonly workflowsDirectory?: string | undefined;
  /** Whether the bundled fixtures are in force. */
  readonly conformanceFixtures: boolean;
  /** Whether a model is configured: without one, fixtures that only a model could decide are not there. */
  readonly hasModel: boolean;
  /** Whether the provider `mock` is served: without it, fixtures that ask it are not there. */
  readonly hasMock: boolean;
  /** Whether nodes have effects for tests: without them, fixtures of such nodes are not there. */
  readonly hasSideEffects: boolean;
};

/**
 * Puts the host's definitions in force as the files have them. What is in force already is not written again; a file
 * that changed is a new version, and runs at work keep theirs. @throws DefinitionFileError
 */
export async function seedDefinitions(seeding: Seeding): Promise<void> {
  const { definitions, workflowsDirectory, conformanceFixtures } = seeding;
  const own = workflowsDirectory === undefined ? [] : await readDefinitionFiles(workflowsDirectory);
  const bundled = conformanceFixtures ? await readDefinitionFiles(FIXTURES_DIRECTORY) : [];
  const fixtures = bundled.filter(({ version }) => canComplete(version.definition, seeding));
  requireDistinct([...own, ...fixtures]);
  await putAll(seeding, own, false);
  await putAll(seeding, fixtures, true);
  await definitions.retainFixtures(fixtures.map(({ version }) => version.definition.id));
}

/** A fixture that is listed is a claim that it can be run (host specification §1.6). */
function canComplete(
  definition: WorkflowDefinition,
  { hasModel, hasMock, hasSideEffects }: Seeding,
): boolean {
  const { nodes } = definition;
  if (!hasModel && modelLoopOf(definition)) return false;
  if (!hasSideEffects && nodes.some(({ typeId }) => typeId === SIDE_EFFECT)) return false;
  return hasMock || !nodes.some(({ config }) => config['provider'] === MOCK_PROVIDER);
}

/** Two files of one id would take turns, one version with every start. */
function requireDistinct(files: readonly DefinitionFile[]): void {
  const seen = new Map<string, string>();
  for (const { file, version } of files) {
    const { id } = version.definition;
    const other = seen.get(id);
    if (other !== undefined)
      throw new DefinitionFileError(file, `${other} has the same id.`, { field: 'id' });
    seen.set(id, file);
  }
}

async function putAll(seeding: Seeding, files: readonly DefinitionFile[], fixture: boolean): Promise<void> {
  const { definitions, clock, logger } = seeding;
  for (const { version } of files) {
    const isNew = await definitions.put({ ...version, owner: HOST, fixture }, clock.now());
    const fields = { workflowId: version.definition.id, digest: version.digest };
    if (isNew) logger.info(fields, 'Workflow definition in force');
  }
}
