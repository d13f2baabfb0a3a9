const DIGEST = `sha256:${'1'.repeat(64)}`;

const HASHES = {
  scope_hash: 'scope-1',
  tools_hash: 'tools-1',
  permissions_hash: 'permissions-1',
  runtime_prefix_hash: DIGEST,
  baseline_hash: null,
  capsule_hash: null,
};

const WORKER = {
  platform: 'claude',
  model: 'opus',
  effort: null,
  fix_loop_id: null,
  checkpoint_sha: null,
  sensitivity: 'normal',
};

export type Worker = { readonly lineageId: string; readonly role: string; readonly phase?: string };

/** A record (contract §5.1) without what the registry knows itself. */
export function recordOf({ lineageId, role, phase = '2A' }: Worker): object {
  return {
    ...WORKER,
    ...HASHES,
    lineage_id: lineageId,
    parent_lineage_id: null,
    platform_handle: null,
    role,
    scope: 'Fork events.',
    phase,
    mode: 'fresh-capsule',
    spec_hash: 'spec-1',
    resumable: true,
  };
}

export type Present = Pick<Worker, 'role' | 'phase'> & {
  readonly workgroupId: string;
  readonly specHash?: string;
};

/** The facts of now (contract §5.2). */
export function currentOf({ workgroupId, role, phase = '2A', specHash = 'spec-1' }: Present): object {
  return { ...WORKER, ...HASHES, workgroup_id: workgroupId, role, phase, spec_hash: specHash };
}

/** A briefing (contract §6) that says something. */
export function capsuleOf(workgroupId: string, objective: string): object {
  return {
    schema: 'knowzcode.context-capsule/v1',
    task_id: 'T-9',
    workgroup_id: workgroupId,
    phase: '2A',
    objective,
    node_ids: ['Fork'],
    owned_files: [],
    read_files: ['docs/fork.md'],
    specs: [],
    approved_decisions: [],
    risks: [],
    constraints: [],
    checkpoint_sha: null,
    failures: [],
    next_action: 'List the event names.',
  };
}
