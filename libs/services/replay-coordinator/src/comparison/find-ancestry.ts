import type { RunHeader } from '@palimpsest/contracts';
import { NotFoundError, type EventLog } from '@palimpsest/kernel';
import { ancestryOf, type ComparedLog } from './domain/ancestry.js';

/** The run and whatever it was forked from, however far up; one header each. */
export async function findAncestry(
  eventLog: EventLog,
  tenantId: string,
  runId: string,
): Promise<ComparedLog> {
  const header = await eventLog.header(tenantId, runId);
  if (!header) throw new NotFoundError('The run', { runId });
  const headers: RunHeader[] = [header];
  for (let at = header; at.origin;) {
    const source = await eventLog.header(tenantId, at.origin.runId);
    if (!source) break;
    headers.push(source);
    at = source;
  }
  return { header, ancestry: ancestryOf(headers) };
}
