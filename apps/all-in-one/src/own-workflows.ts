import { ConfigurationError, type AllInOneConfig } from '@palimpsest/host';
import { DefinitionFileError, readDefinitionFiles } from '@palimpsest/orchestrator';

type Folder = Pick<AllInOneConfig, 'workflowsDirectory'>;

/**
 * How many workflows the operator's folder has. Read before anything is started, as what is wrong in it ends the start.
 * @throws ConfigurationError
 */
export async function countOwnWorkflows(config: Folder): Promise<number> {
  const { workflowsDirectory } = config;
  if (workflowsDirectory === undefined) return 0;
  const files = await readDefinitionFiles(workflowsDirectory).catch((error: unknown) => {
    throw definitionFailure(error, config);
  });
  return files.length;
}

/** A definition that cannot be used is a fault of the variable that names its folder. */
export function definitionFailure(error: unknown, { workflowsDirectory }: Folder): unknown {
  if (!(error instanceof DefinitionFileError) || workflowsDirectory === undefined) return error;
  const problem = isUnreadable(error)
    ? `the folder ${workflowsDirectory} cannot be read`
    : `in the folder ${workflowsDirectory}: ${error.message}`;
  return new ConfigurationError([{ variable: 'PALIMPSEST_WORKFLOWS_DIR', problem }]);
}

/** The folder itself: of its files only the system's refusal of the folder is kept as a cause. */
function isUnreadable({ cause }: DefinitionFileError): boolean {
  return typeof cause === 'object' && cause !== null && 'syscall' in cause;
}
