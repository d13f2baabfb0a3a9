import { connect, type Socket } from 'node:net';
import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { MAX_REQUEST_BYTES } from '@palimpsest/context-efficiency';
import { errorEnvelopeSchema } from '@palimpsest/contracts';
import { waitUntil } from '@palimpsest/kernel/testing';
import { gatewayMigrations } from '../store/migrations.js';
import { startGateway, type GatewayHarness } from '../testing/gateway-harness.js';

const LIMIT = 64 * 1024;

type Heard = { readonly status: number; readonly head: string; readonly body: string };

/** One connection, byte by byte. */
class Connection {
  private received = '';

  constructor(private readonly socket: Socket) {
    socket.setEncoding('utf8').on('data', (chunk: string) => (this.received += chunk));
    socket.on('error', () => undefined);
  }

  get alive(): boolean {
    return !this.socket.destroyed && this.socket.readable;
  }

  /** Sends, and waits for the next answer that has its whole body. */
  async say(...chunks: readonly (string | Buffer)[]): Promise<Heard> {
    for (const chunk of chunks) this.socket.write(chunk);
    return waitUntil(() => this.nextAnswer(), { what: 'an answer' });
  }

  end(): void {
    this.socket.destroy();
  }

  private nextAnswer(): Heard | undefined {
    const [head = '', ...rest] = this.received.split('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? NaN);
    const after = rest.join('\r\n\r\n');
    if (Number.isNaN(length) || Buffer.byteLength(after) < length) return undefined;
    const body = Buffer.from(after).subarray(0, length).toString();
    this.received = Buffer.from(after).subarray(length).toString();
    return { status: Number(head.split(' ')[1]), head, body };
  }
}

describe('a connection', () => {
  let database: TestDatabase;
  let gateway: GatewayHarness;
  let port: number;
  const open: Connection[] = [];
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    gateway = await startGateway(database.pool, { maxBodyBytes: LIMIT });
    await gateway.app.listen(0, '127.0.0.1');
    port = (gateway.app.getHttpServer().address() as { port: number }).port;
  });
  afterAll(async () => {
    open.forEach((connection) => connection.end());
    await gateway.close();
    await database.drop();
  });

  async function dial(): Promise<Connection> {
    const socket = connect(port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    const connection = new Connection(socket);
    open.push(connection);
    return connection;
  }

  const head = (length: number | string): string =>
    [
      'POST /v1/runs HTTP/1.1',
      'host: localhost',
      'content-type: application/json',
      `authorization: Bearer ${gateway.key}`,
      typeof length === 'number' ? `content-length: ${length}` : `transfer-encoding: ${length}`,
      '',
      '',
    ].join('\r\n');

  const create = Buffer.from('{"workflowId":"palimpsest-external"}');

  it('lives on after a body over the limit, declared or not', async () => {
    const connection = await dial();
    const body = Buffer.alloc(LIMIT + 1, 0x20);
    expect(await connection.say(head(body.length), body)).toMatchObject({
      status: 413,
      body: expect.stringContaining('"payload_too_large"'),
    });
    const chunked = [`${body.length.toString(16)}\r\n`, body, '\r\n0\r\n\r\n'];
    expect(await connection.say(head('chunked'), ...chunked)).toMatchObject({ status: 413 });
    expect(await connection.say(head(create.length), create)).toMatchObject({ status: 201 });
    expect(connection.alive).toBe(true);
  });

  const decide = (framing: string): string =>
    head(0).replace('/v1/runs', '/v1/context/route').replace('content-length: 0', framing);

  it.each([
    ['declared', `content-length: ${MAX_REQUEST_BYTES * 64}`, ''],
    ['not declared', 'transfer-encoding: chunked', `${(MAX_REQUEST_BYTES * 64).toString(16)}\r\n`],
  ])(
    'ends with an answer at the first byte that the contract does not take, %s',
    async (_, framing, size) => {
      const connection = await dial();
      const one = Buffer.alloc(MAX_REQUEST_BYTES, 0x20);
      const answer = await connection.say(decide(framing), size, one, ' ');
      expect(answer).toMatchObject({ status: 413, body: expect.stringContaining('"payload_too_large"') });
      expect(answer.head).toMatch(/\r\nconnection: close/i);
      await waitUntil(() => !connection.alive, { what: 'the connection ends' });
    },
  );

  it('answers a sender that goes on well beyond what the contract takes', async () => {
    const connection = await dial();
    const rest = Buffer.alloc(MAX_REQUEST_BYTES * 8, 0x20);
    expect(await connection.say(decide(`content-length: ${rest.length}`), rest)).toMatchObject({
      status: 413,
    });
    await waitUntil(() => !connection.alive, { what: 'the connection ends' });
  });

  it('lives on after a body that the contract takes whole, whatever its type', async () => {
    const connection = await dial();
    const whole = Buffer.alloc(MAX_REQUEST_BYTES, 0x20);
    const asked = decide(`content-length: ${whole.length}`).replace('application/json', 'text/plain');
    const answer = await connection.say(asked, whole);
    expect(answer).toMatchObject({ status: 200, body: expect.stringContaining('"INVALID_REQUEST"') });
    expect(await connection.say(head(create.length), create)).toMatchObject({ status: 201 });
  });

  it('takes a body of exactly the limit', async () => {
    const connection = await dial();
    const body = Buffer.concat([create, Buffer.alloc(LIMIT - create.length, 0x20)]);
    expect(await connection.say(head(body.length), body)).toMatchObject({ status: 201 });
  });

  it('lives on after a body that is not JSON', async () => {
    const connection = await dial();
    expect(await connection.say(head(1), '{')).toMatchObject({ status: 400 });
    expect(await connection.say(head(create.length), create)).toMatchObject({ status: 201 });
  });

  const list = (...headers: readonly string[]): string =>
    ['GET /v1/runs HTTP/1.1', 'host: localhost', ...headers, '', ''].join('\r\n');

  it.each([
    ['two credentials', () => [`authorization: Bearer ${gateway.key}`, 'authorization: Bearer other'], 401],
    ['one credential, twice', () => Array<string>(2).fill(`authorization: Bearer ${gateway.key}`), 401],
    ['two in one', () => [`authorization: Bearer ${gateway.key}, Bearer other`], 401],
    ['a NUL in it', () => [`authorization: Bearer ${gateway.key}\0`], 400],
    ['64 KiB of it', () => [`authorization: Bearer ${'k'.repeat(64 * 1024)}`], 431],
    ['12 KiB of it', () => [`authorization: Bearer ${'k'.repeat(12 * 1024)}`], 401],
    ['64 KiB of another header', () => [`x-padding: ${'p'.repeat(64 * 1024)}`], 431],
  ])('opens nothing with %s', async (_, headers, status) => {
    const connection = await dial();
    const answer = await connection.say(list(...headers()));
    expect(answer.status).toBe(status);
    errorEnvelopeSchema.parse(JSON.parse(answer.body));
    expect(answer.head).toMatch(/\r\nx-request-id: \S+/i);
  });

  it.each([
    ['no Host', []],
    ['two Hosts', ['host: localhost', 'host: elsewhere']],
    ['an expectation nobody knows', ['host: localhost', 'expect: miracles']],
  ])('is answered in the envelope, the key first, with %s', async (_, headers) => {
    const connection = await dial();
    const ask = (...more: readonly string[]) =>
      connection.say(['GET /v1/runs HTTP/1.1', ...headers, ...more, '', ''].join('\r\n'));
    const unknown = await ask();
    expect(unknown.status).toBe(401);
    const known = await ask(`authorization: Bearer ${gateway.key}`);
    expect(known.status).toBe(400);
    expect(errorEnvelopeSchema.parse(JSON.parse(known.body))).toMatchObject({ error: 'validation_error' });
    expect(known.head).toMatch(/\r\nx-request-id: \S+/i);
  });

  it('is answered in the envelope where it does not speak HTTP', async () => {
    const connection = await dial();
    const answer = await connection.say('HELLO\r\n\r\n');
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ error: 'validation_error' });
  });
});
