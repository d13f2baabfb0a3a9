import { createHash } from 'node:crypto';
import type {
  CountSideEffects,
  ProgramMock,
  ReadWorkflow,
  RegisterWorkflow,
  WorkflowDefinition,
  WorkflowVersion,
} from '@palimpsest/contracts';
import { canonicalJson } from '@palimpsest/kernel';
import type { WorkflowDirectory } from '../ports.js';

/** Definitions that every tenant sees, and those that tenants have registered for themselves. */
export class StandInWorkflows implements WorkflowDirectory {
  readonly programmed: ProgramMock[] = [];
  /** Effects by tenant and node, as `tenant/node`. */
  readonly sideEffects = new Map<string, number>();
  private readonly registered = new Map<string, WorkflowVersion>();

  constructor(private readonly seeded: readonly WorkflowDefinition[] = sampleWorkflows) {}

  async readWorkflow(query: ReadWorkflow): Promise<WorkflowVersion | undefined> {
    if ('digest' in query) return this.versions().find(({ digest }) => digest === query.digest);
    const { tenantId, workflowId } = query;
    const seeded = this.seeded.find(({ id }) => id === workflowId);
    return this.registered.get(`${tenantId}/${workflowId}`) ?? (seeded && versionOf(seeded));
  }

  private versions(): readonly WorkflowVersion[] {
    return [...this.registered.values(), ...this.seeded.map(versionOf)];
  }

  async registerWorkflow({ tenantId, definition }: RegisterWorkflow): Promise<WorkflowVersion> {
    const version = versionOf(definition);
    this.registered.set(`${tenantId}/${definition.id}`, version);
    return version;
  }

  async forgetRegistered(tenantId: string): Promise<readonly string[]> {
    const keys = [...this.registered.keys()].filter((key) => key.startsWith(`${tenantId}/`));
    keys.forEach((key) => this.registered.delete(key));
    return keys.map((key) => key.slice(tenantId.length + 1));
  }

  async programMock(command: ProgramMock): Promise<number> {
    this.programmed.push(command);
    return command.program.length;
  }

  async countSideEffects({ tenantId, nodeId }: CountSideEffects): Promise<number> {
    return this.sideEffects.get(`${tenantId}/${nodeId}`) ?? 0;
  }

  async fixtures(): Promise<readonly string[]> {
    return this.seeded.map(({ id }) => id).sort();
  }
}

function versionOf(definition: WorkflowDefinition): WorkflowVersion {
  const text = canonicalJson(JSON.parse(JSON.stringify(definition)));
  return { definition, digest: createHash('sha256').update(text).digest('hex') };
}

function sample(id: string, typeId: string, more: Partial<WorkflowDefinition> = {}): WorkflowDefinition {
  const node = { id: 'step', typeId, name: 'Step', position: { x: 0, y: 0 }, config: {}, inputs: {} };
  return {
    id,
    name: id,
    version: '1',
    nodes: [node],
    edges: [],
    triggers: [{ id: 'manual', type: 'manual' }],
    variables: [],
    metadata: {},
    settings: {},
    ...more,
  };
}

export const sampleWorkflows: readonly WorkflowDefinition[] = [
  sample('plain', 'core.noop'),
  sample('named', 'core.noop', {
    variables: [
      { name: 'nonce', type: 'string', required: true },
      { name: 'colour', type: 'string', defaultValue: 'blue' },
    ],
  }),
  sample('gated', 'core.approvalGate', {}),
  sample('looped', 'core.orchestrator.supervisor', {
    configurableSchema: {
      type: 'object',
      properties: { mood: { type: 'string' } },
      additionalProperties: false,
    },
  }),
  sample('branched', 'core.subWorkflow'),
  sample('draft-flow', 'core.noop', { status: 'draft' }),
  sample('archived-flow', 'core.noop', { status: 'archived' }),
  sample('inactive-flow', 'core.noop', { isActive: false }),
];
