import { wakeRunSubject } from '@palimpsest/contracts';
import type { MessageBus, OnGrown } from '@palimpsest/kernel';

/**
 * Wakes those who wait for a run to grow, straight from the append: they need not wait for the relay. A wake-up that
 * is lost costs them no event, only the time until they look by themselves.
 */
export function wakeListeners(bus: Pick<MessageBus, 'notify'>): OnGrown {
  return ({ tenantId, runId }) => bus.notify(wakeRunSubject(tenantId, runId), null);
}
