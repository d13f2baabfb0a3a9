const hash = (letter: string): string => `sha256:${letter.repeat(64)}`;

/** What is compared, as it is now. */
export const CURRENT = {
  platform: 'claude',
  workgroup_id: 'wg-2',
  role: 'builder',
  phase: '2A',
  fix_loop_id: null,
  spec_hash: 'spec-1',
  scope_hash: 'scope-1',
  checkpoint_sha: null,
  model: 'opus',
  effort: null,
  runtime_prefix_hash: hash('1'),
  baseline_hash: null,
  capsule_hash: hash('2'),
  tools_hash: 'tools-1',
  permissions_hash: 'permissions-1',
  sensitivity: 'normal',
} as const;

/** A lineage that fits it, with an hour left at noon. */
export const LINEAGE = {
  ...CURRENT,
  schema: 'knowzcode.agent-lineage/v1',
  lineage_id: 'lineage-1',
  platform_handle: null,
  parent_lineage_id: null,
  scope: 'Fork events.',
  mode: 'resume',
  created_at: '2031-03-10T08:00:00Z',
  last_used_at: '2031-03-10T11:00:00+00:00',
  lease_expires_at: '2031-03-10T13:00:00Z',
  resumable: true,
} as const;
