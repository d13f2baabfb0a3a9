import { z } from 'zod';
import { workflowDefinitionSchema, type WorkflowDefinition } from '@palimpsest/contracts';
import { parseRequest } from './parse-request.js';

/** A node as tests write it: `{ nodeId, typeId, config }`, without what only an editor needs (host specification §12.7). */
const reducedNodeSchema = z
  .looseObject({ id: z.string().optional(), nodeId: z.string().optional() })
  .refine(({ id, nodeId }) => (id ?? nodeId) !== undefined, { path: ['nodeId'], message: 'is required' });

const reducedEdgeSchema = z.looseObject({ id: z.string().optional() });

const reducedWorkflowSchema = z
  .looseObject({
    workflowId: z.string().optional(),
    id: z.string().optional(),
    nodes: z.array(reducedNodeSchema).min(1).max(1000),
    edges: z.array(reducedEdgeSchema).max(5000).default([]),
  })
  .refine(({ id, workflowId }) => (workflowId ?? id) !== undefined, {
    path: ['workflowId'],
    message: 'is required',
  });

/** A whole definition of one that leaves out what has an obvious value. @throws ValidationError */
export function registeredWorkflow(body: unknown): WorkflowDefinition {
  const { workflowId, nodes, edges, ...rest } = parseRequest(reducedWorkflowSchema, body);
  const id = workflowId ?? rest.id;
  return parseRequest(workflowDefinitionSchema, {
    name: id,
    version: '1',
    triggers: [{ id: 'manual', type: 'manual' }],
    variables: [],
    metadata: {},
    settings: {},
    ...rest,
    id,
    nodes: nodes.map(({ nodeId, ...node }, index) => ({
      name: node.id ?? nodeId,
      position: { x: index, y: 0 },
      config: {},
      inputs: {},
      ...node,
      id: node.id ?? nodeId,
    })),
    edges: edges.map((edge, index) => ({ ...edge, id: edge.id ?? `edge-${index}` })),
  });
}
