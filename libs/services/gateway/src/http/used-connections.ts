import type { FastifyInstance } from 'fastify';

const EVERY_MS = 50;

/**
 * An answer that began before the close did not tell its client to close the connection, and so the connection would
 * be kept for reuse and hold the close up for as long as that lasts: an event stream's, a large window's.
 */
export function closeUsedConnections(app: FastifyInstance): void {
  const { server } = app;
  app.addHook('preClose', (done) => {
    const closing = setInterval(() => server.closeIdleConnections(), EVERY_MS);
    if (!server.listening) clearInterval(closing);
    server.once('close', () => clearInterval(closing));
    done();
  });
}
