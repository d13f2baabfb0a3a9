import { createHash } from 'node:crypto';
import { EXTERNAL_WORKFLOW, type WorkflowDefinition, type WorkflowVersion } from '@palimpsest/contracts';
import { canonicalJson, ValidationError, type TerminalError } from '@palimpsest/kernel';
import { checkDefinition } from '@palimpsest/workflow';

/**
 * A definition that fits its schema, as a version. `root` begins the path in `details.field`, for example `definition.`.
 * @throws ValidationError where it cannot be executed, or takes the id of runs that no workflow executes
 */
export function workflowVersionOf(definition: WorkflowDefinition, root = ''): WorkflowVersion {
  if (definition.id === EXTERNAL_WORKFLOW) throw unfit({ path: `${root}id`, problem: 'is reserved' });
  const [first] = checkDefinition(definition);
  if (first) throw unfit({ ...first, path: root + first.path });
  const text = canonicalJson(definition as unknown as Parameters<typeof canonicalJson>[0]);
  return { definition, digest: createHash('sha256').update(text).digest('hex') };
}

function unfit({ path, problem }: { readonly path: string; readonly problem: string }): TerminalError {
  return new ValidationError(`The field ${path} does not fit: ${problem}.`, { field: path });
}
