import type { ApiClient } from '../api-client.js';

type Json = Readonly<Record<string, unknown>>;

export type LoopWorkflow = {
  readonly workflowId: string;
  /** Told to the model; names its script. */
  readonly prompt: string;
  readonly workers?: readonly string[];
  readonly dispatch?: Json;
  readonly variables?: readonly Json[];
  readonly settings?: Json;
};

/** A supervisor whose turns a model decides, and its dispatch. */
export function loopDefinition(loop: LoopWorkflow): Json {
  const { workflowId, prompt, workers, dispatch = {}, variables = [], settings = {} } = loop;
  const config = { prompt, ...(workers && { workers }) };
  return {
    workflowId,
    nodes: [
      { nodeId: 'supervisor', typeId: 'core.orchestrator.supervisor', config },
      {
        nodeId: 'dispatch',
        typeId: 'core.dispatch',
        config: { askUserRouting: 'clarification', ...dispatch },
      },
    ],
    edges: [
      { sourceNodeId: 'supervisor', targetNodeId: 'dispatch' },
      { sourceNodeId: 'dispatch', targetNodeId: 'supervisor' },
    ],
    variables,
    settings,
  };
}

/** A worker that returns this, whatever it is. */
export function reporterDefinition(workflowId: string, report: unknown): Json {
  const type = Array.isArray(report) ? 'array' : typeof report;
  return {
    workflowId,
    nodes: [{ nodeId: 'report', typeId: 'core.identity' }],
    variables: [{ name: 'report', type, defaultValue: report }],
  };
}

/** Through the seam of tests: a definition of the caller's tenant. */
export async function register(api: ApiClient, definition: Json): Promise<void> {
  await api.ok(api.post('/v1/host/sample/workflows', definition));
}
