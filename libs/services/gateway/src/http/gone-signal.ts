import type { FastifyReply } from 'fastify';

/** Aborted when the client has gone, or has its answer. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort());
  return controller.signal;
}
