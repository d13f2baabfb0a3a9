import { NotFoundError } from '@palimpsest/kernel';
import type { WorkgroupReading, WorkgroupStore } from '../store/workgroup-store.js';

/** @throws NotFoundError where nobody has opened the workgroup */
export async function requireReading(
  store: Pick<WorkgroupStore, 'read'>,
  { tenantId, workgroupId }: { readonly tenantId: string; readonly workgroupId: string },
): Promise<WorkgroupReading> {
  const reading = await store.read(tenantId, workgroupId);
  if (!reading) throw new NotFoundError('The workgroup', { workgroupId });
  return reading;
}
