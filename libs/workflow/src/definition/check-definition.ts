import type { WorkflowDefinition } from '@palimpsest/contracts';
import { schemaCheckOf } from '../interrupts/json-schema.js';
import { edgeProblems } from './check-edges.js';
import { idProblems } from './check-ids.js';
import { nodeProblems } from './check-nodes.js';
import type { DefinitionProblem } from './definition-problem.js';
import { cycleProblems, loopProblems } from './find-cycle.js';
import { isOfType } from './variable-types.js';

/** More than these help nobody to mend a definition. */
const MOST_PROBLEMS = 50;

/** What a definition that fits its schema still may have wrong: ids, edges, cycles, expressions, configurations. */
export function checkDefinition(definition: WorkflowDefinition): readonly DefinitionProblem[] {
  const ids = idProblems(definition);
  // The rest looks nodes up by id.
  if (ids.length > 0) return ids.slice(0, MOST_PROBLEMS);
  return [
    ...loopProblems(definition),
    ...cycleProblems(definition),
    ...edgeProblems(definition),
    ...nodeProblems(definition),
    ...variableProblems(definition),
    ...schemaProblems(definition),
  ].slice(0, MOST_PROBLEMS);
}

function variableProblems({ variables }: WorkflowDefinition): readonly DefinitionProblem[] {
  return variables.flatMap(({ type, defaultValue }, place) =>
    defaultValue === undefined || isOfType(type, defaultValue)
      ? []
      : [{ path: `variables.${place}.defaultValue`, problem: `is no ${type}` }],
  );
}

function schemaProblems({ configurableSchema }: WorkflowDefinition): readonly DefinitionProblem[] {
  if (!configurableSchema || schemaCheckOf(configurableSchema)) return [];
  return [{ path: 'configurableSchema', problem: 'is no JSON Schema that can be used' }];
}

export type { DefinitionProblem };
