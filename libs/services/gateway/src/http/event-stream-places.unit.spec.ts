import { EventEmitter } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EventStreamPlaces } from './event-stream-places.js';

describe('places for event streams', () => {
  let places: EventStreamPlaces;
  beforeEach(() => (places = new EventStreamPlaces(8)));

  /** Takes a place; returns what gives it back. */
  function take(tenantId: string, accept = 'text/event-stream'): () => void {
    const raw = new EventEmitter();
    const request = { method: 'GET', headers: { accept } } as unknown as FastifyRequest;
    places.take(request, { raw } as unknown as FastifyReply, tenantId);
    return () => void raw.emit('close');
  }

  const takeMany = (tenantId: string, count: number) => Array.from({ length: count }, () => take(tenantId));
  const refusal = (scope: string): Error =>
    expect.objectContaining({ code: 'rate_limited', details: expect.objectContaining({ scope }) }) as Error;

  it('leave the last quarter to tenants that hold little', () => {
    takeMany('large', 6);
    expect(() => take('large')).toThrow(refusal('tenant'));
    takeMany('small', 2);
    expect(() => take('small')).toThrow(refusal('global'));
    expect(() => take('third')).toThrow(refusal('global'));
  });

  it('are free again when streams end', () => {
    const [end] = takeMany('large', 6);
    end?.();
    take('large');
    expect(() => take('large')).toThrow(refusal('tenant'));
  });

  it('are not for answers that are no streams', () => {
    for (let count = 0; count < 20; count += 1) take('large', 'application/json');
    takeMany('large', 6);
  });
});
