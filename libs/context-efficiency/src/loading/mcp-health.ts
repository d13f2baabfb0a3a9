import type { Phase } from '../vocabulary/words.js';

export const DEFAULT_MCP_HEALTH_TTL_MINUTES = 10;

/** What a WorkGroup knows of an MCP server: one record, shared by all its workers. Times in milliseconds. */
export type McpHealth = {
  readonly healthy: boolean;
  readonly checkedAt: number;
  readonly phase: Phase;
};

export type McpHealthQuestion = {
  readonly now: number;
  readonly phase: Phase;
  /** `mcp_health_ttl_minutes`; 0 trusts no record. */
  readonly ttlMinutes?: number;
};

export type McpHealthDecision =
  | { readonly action: 'use' | 'skip'; readonly reason: 'CACHED' }
  | { readonly action: 'check'; readonly reason: 'UNKNOWN' | 'EXPIRED' | 'PHASE_BOUNDARY_RETRY' };

/**
 * Whether a worker uses an MCP server, leaves it, or checks it first. A failure is believed for its time like a
 * success, but not beyond the phase that it was seen in.
 */
export function decideMcpHealth(
  known: McpHealth | null,
  { now, phase, ttlMinutes = DEFAULT_MCP_HEALTH_TTL_MINUTES }: McpHealthQuestion,
): McpHealthDecision {
  if (!known) return { action: 'check', reason: 'UNKNOWN' };
  const age = now - known.checkedAt;
  // a record from the future is the work of a clock that was set back
  if (age < 0 || age >= ttlMinutes * 60_000) return { action: 'check', reason: 'EXPIRED' };
  if (known.healthy) return { action: 'use', reason: 'CACHED' };
  if (known.phase !== phase) return { action: 'check', reason: 'PHASE_BOUNDARY_RETRY' };
  return { action: 'skip', reason: 'CACHED' };
}
