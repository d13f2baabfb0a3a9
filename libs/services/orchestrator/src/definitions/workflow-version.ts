import { createHash } from 'node:crypto';
import { EXTERNAL_WORKFLOW, type WorkflowDefinition, type WorkflowVersion } from '@palimpsest/contracts';
import { canonicalJson, ValidationError } from '@palimpsest/kernel';
import { checkDefinition } from '@palimpsest/workflow';
import { problemsText } from './problem-texts.js';

/**
 * A definition that fits its schema, as a version. `root` begins the path in `details.field`, for example `definition.`.
 * The message names all that is wrong, `details.field` the first.
 * @throws ValidationError where it cannot be executed, or takes the id of runs that no workflow executes
 */
export function workflowVersionOf(definition: WorkflowDefinition, root = ''): WorkflowVersion {
  const reserved = definition.id === EXTERNAL_WORKFLOW ? [{ path: 'id', problem: 'is reserved' }] : [];
  const problems = [...reserved, ...checkDefinition(definition)];
  const [first] = problems;
  if (first) {
    const placed = problems.map(({ path, problem }) => ({ path: root + path, problem }));
    throw new ValidationError(problemsText(placed), { field: root + first.path });
  }
  const text = canonicalJson(definition as unknown as Parameters<typeof canonicalJson>[0]);
  return { definition, digest: createHash('sha256').update(text).digest('hex') };
}
