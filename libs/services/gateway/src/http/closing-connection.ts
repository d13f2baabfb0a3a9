import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** For so long a sender that goes on is read, so that it gets to its answer. */
const LINGER_MS = 5000;

/**
 * Ends the connection behind the answer, though its sender still has more. Closed with bytes unread it would be reset, and
 * the answer lost on its way; so what comes is read and dropped, until the sender closes its side or the time is over.
 */
export function closeOnceRead({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.header('connection', 'close');
  raw.resume();
  const { socket } = raw;
  if (!(socket instanceof Socket)) return;
  socket.destroySoon = () => void socket.end();
  const ending = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(ending));
}
