import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFrames, type Frame } from './event-stream.js';
import { Host } from './host.js';

async function framesOf(...chunks: readonly (string | Uint8Array)[]): Promise<readonly Frame[]> {
  const bytes = async function* () {
    for (const chunk of chunks) yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
  };
  const frames: Frame[] = [];
  for await (const frame of readFrames(bytes())) frames.push(frame);
  return frames;
}

function event(data: string, id?: string, name = 'message'): Frame {
  return { kind: 'event', id, event: name, data };
}

describe('the frames of an event stream', () => {
  it.each(['\n', '\r\n', '\r'])('are the same with %j at the end of lines', async (end) => {
    const text = ['id: 7', 'event: run.started', 'data: {"a":1}', '', 'data: x', '', ''].join(end);
    expect(await framesOf(text)).toEqual([event('{"a":1}', '7', 'run.started'), event('x')]);
  });

  it.each(['\n', '\r\n', '\r'])('are the same however the bytes are cut, with %j', async (end) => {
    const text = [
      'id: 7',
      'data: 日本 👩‍👩‍👧 é',
      'data: second',
      '',
      ':keepalive',
      'id: 8',
      'data: z',
      '',
      '',
    ].join(end);
    const bytes = new TextEncoder().encode(text);
    const whole = await framesOf(bytes);
    expect(whole).toEqual([
      event('日本 👩‍👩‍👧 é\nsecond', '7'),
      { kind: 'comment', text: 'keepalive' },
      event('z', '8'),
    ]);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(await framesOf(bytes.subarray(0, cut), bytes.subarray(cut))).toEqual(whole);
    }
    expect(await framesOf(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(whole);
  });

  it('keep all of a value but one space, and colons', async () => {
    expect(await framesOf('data:  two: spaces \ndata:none\ndata\n\n')).toEqual([
      event(' two: spaces \nnone\n'),
    ]);
  });

  it('come without comments, unknown fields and frames that hold no data', async () => {
    expect(await framesOf(':\n: c\nfoo: bar\nid: 1\n\nretry: 3\ndata: x\n\n')).toEqual([
      { kind: 'comment', text: '' },
      { kind: 'comment', text: ' c' },
      event('x'),
    ]);
  });

  it('end where the stream does: half a frame is none', async () => {
    expect(await framesOf('data: a\n\ndata: b\n')).toEqual([event('a')]);
    expect(await framesOf()).toEqual([]);
  });

  it('may follow a byte order mark', async () => {
    expect(await framesOf(Uint8Array.of(0xef, 0xbb), Uint8Array.of(0xbf), 'data: a\n\n')).toEqual([
      event('a'),
    ]);
  });
});

describe('a stream from a server', () => {
  let server: Server;
  let host: Host;
  const seen: (string | undefined)[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push(request.headers['last-event-id'] as string | undefined);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(':hello\r\n\r\nid: 0\r\ndata: a\r\n\r');
      response.write('\nid: 1\r\nevent: run.completed\r\ndata: b\r\n\r\n');
      if (request.url !== '/open') response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    host = new Host({ baseUrl: `http://127.0.0.1:${port}/`, apiKey: 'k' });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('is read to its end', async () => {
    const { status, headers, events } = await host.readStream('/ends', { lastEventId: '5' });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(events).toEqual([event('a', '0'), event('b', '1', 'run.completed')]);
    expect(seen.at(-1)).toBe('5');
  });

  it('is left in the middle', async () => {
    const stream = await host.openStream('/open');
    for await (const frame of stream.frames()) if (frame.kind === 'event') break;
    stream.close();
  });

  it('is an error where it does not end in time', async () => {
    await expect(host.readStream('/open', { withinMs: 50 })).rejects.toThrow(/timeout/i);
  });
});
