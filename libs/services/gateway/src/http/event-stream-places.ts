import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimitedError } from '../domain/gateway-errors.js';

const AGAIN_MS = 1000;

/** Event streams that are open at a time: each holds memory and a place at the bus for as long as it lasts. */
export class EventStreamPlaces {
  private taken = 0;

  constructor(private readonly most: number) {}

  /**
   * A place for as long as the answer lasts.
   * @throws RateLimitedError
   */
  take(request: FastifyRequest, reply: FastifyReply): void {
    if (request.method !== 'GET' || !asksForStream(request)) return;
    if (this.taken >= this.most) throw new RateLimitedError('global', this.most, AGAIN_MS);
    this.taken += 1;
    reply.raw.once('close', () => (this.taken -= 1));
  }
}

function asksForStream(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('text/event-stream');
}
