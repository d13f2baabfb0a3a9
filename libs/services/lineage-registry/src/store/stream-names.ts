/** The stream of a workgroup in `lineage_registry.events`. */
export function streamOfWorkgroup(workgroupId: string): string {
  return `workgroup/${workgroupId}`;
}

/** The stream of an environment's rollouts. */
export function streamOfRollouts(environment: string): string {
  return `rollout/${environment}`;
}
