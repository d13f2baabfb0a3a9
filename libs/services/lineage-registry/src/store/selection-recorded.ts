/** SQL: the selector was called in the present version of the row `rollouts`, and its event is recorded. Never so in `off`. */
export const SELECTION_RECORDED = `(rollouts.stage <> 'off' AND EXISTS (
  SELECT FROM lineage_registry.telemetry AS t
  WHERE t.tenant_id = rollouts.tenant_id AND t.environment = rollouts.environment AND t.family = rollouts.family
    AND t.rollout_version = rollouts.version AND t.event->>'event' = 'dispatch_decision'
))`;
