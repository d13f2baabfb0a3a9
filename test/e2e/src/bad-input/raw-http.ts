import { connect } from 'node:net';
import type { HttpAnswer } from './http-sender.js';

const PATIENCE_MS = 10_000;

/**
 * Bytes on a connection of their own; the first answer, or undefined where the connection ends without one. For what no
 * HTTP client sends.
 */
export function sendRaw(url: string, bytes: string | Buffer): Promise<HttpAnswer | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const end = (): void => {
      socket.destroy();
      resolve(answerIn(received));
    };
    socket.setEncoding('utf8').setTimeout(PATIENCE_MS, end);
    socket.on('data', (chunk: string) => {
      received += chunk;
      if (answerIn(received)) end();
    });
    socket.once('error', end).once('close', end);
  });
}

function answerIn(received: string): HttpAnswer | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = received.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = Buffer.from(received.slice(end + 4));
  const length = Number(headers['content-length'] ?? 0);
  if (body.length < length) return undefined;
  return { status: Number(statusLine.split(' ')[1]), headers, text: body.subarray(0, length).toString() };
}
