import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimitedError } from '../domain/gateway-errors.js';

const AGAIN_MS = 1000;

/** The last quarter of the places is for tenants that hold less than a quarter: no tenant shuts the others out. */
const RESERVED = 1 / 4;

/** Event streams that are open at a time: each holds memory and a place at the bus for as long as it lasts. */
export class EventStreamPlaces {
  private taken = 0;
  private readonly byTenant = new Map<string, number>();

  constructor(private readonly most: number) {}

  /**
   * A place for as long as the answer lasts.
   * @throws RateLimitedError
   */
  take(request: FastifyRequest, reply: FastifyReply, tenantId: string): void {
    if (request.method !== 'GET' || !asksForStream(request)) return;
    if (this.taken >= this.most) throw new RateLimitedError('global', this.most, AGAIN_MS);
    const held = this.byTenant.get(tenantId) ?? 0;
    const isScarce = this.taken >= this.most * (1 - RESERVED);
    if (isScarce && held > this.most * RESERVED) throw new RateLimitedError('tenant', held, AGAIN_MS);
    this.change(tenantId, 1);
    reply.raw.once('close', () => this.change(tenantId, -1));
  }

  private change(tenantId: string, by: 1 | -1): void {
    const held = (this.byTenant.get(tenantId) ?? 0) + by;
    if (held === 0) this.byTenant.delete(tenantId);
    else this.byTenant.set(tenantId, held);
    this.taken += by;
  }
}

function asksForStream(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('text/event-stream');
}
