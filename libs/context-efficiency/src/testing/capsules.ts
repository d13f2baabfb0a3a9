/** The smallest capsule there is: every list empty. */
export const CAPSULE = {
  schema: 'knowzcode.context-capsule/v1',
  task_id: 'T-9',
  workgroup_id: 'wg-2',
  phase: '1B',
  objective: 'Name the fork events.',
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
} as const;
