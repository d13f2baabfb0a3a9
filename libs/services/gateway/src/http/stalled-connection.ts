import { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

/** Who asks for a stream and does not take it would hold a page of it, and a place, for as long as the process lives. */
export function endWhereStalled({ raw }: FastifyReply, stalledMs: number): void {
  const { socket } = raw;
  if (!(socket instanceof Socket)) return;
  const end = (): void => void socket.destroy();
  socket.setTimeout(stalledMs, end);
  raw.once('close', () => socket.removeListener('timeout', end));
}
