import { decideMcpHealth } from '@palimpsest/context-efficiency';
import type { McpHealthAnswer, McpHealthQuery, ReportMcpHealth } from '@palimpsest/contracts/registry';
import { timeOf, type Moment } from '../workgroup/deciding.js';
import { inOpenWorkgroup } from '../workgroup/expire-leases.js';

/** One worker's finding, for all of its workgroup: of the recorded phase, at the database's time. */
export const decideReportMcpHealth = inOpenWorkgroup<ReportMcpHealth, McpHealthAnswer>(
  ({ phase }, { server, healthy }, now) => ({
    events: [{ type: 'palimpsest.mcp.health_reported', payload: { server, healthy, phase } }],
    answer: { server, action: healthy ? 'use' : 'skip', reason: 'CACHED', checkedAt: timeOf(now) },
  }),
);

/** Whether a server is used, left or checked first, by what anybody of the workgroup has found. */
export function mcpHealthOf(
  { workgroup: { mcpHealth, phase }, now }: Moment,
  { server, ttlMinutes }: Pick<McpHealthQuery, 'server' | 'ttlMinutes'>,
): McpHealthAnswer {
  const known = mcpHealth.get(server);
  const question = { now, phase, ...(ttlMinutes !== undefined && { ttlMinutes }) };
  return {
    server,
    ...decideMcpHealth(known ?? null, question),
    ...(known && { checkedAt: timeOf(known.checkedAt) }),
  };
}
