import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { silentLogger } from '@palimpsest/kernel';
import { messageBusContract, waitUntil } from '@palimpsest/kernel/testing';
import { connectNatsBus } from './nats-bus.js';
import { testNatsUrl } from './testing/nats-server.js';

messageBusContract('NATS JetStream', async () => {
  const url = testNatsUrl();
  const admin = await connect({ servers: url });
  const manager = await jetstreamManager(admin);
  const open = () =>
    connectNatsBus({
      url,
      name: 'spec',
      logger: silentLogger,
      streamLimits: { maxBytes: 16 * 1024 * 1024 },
    });
  return {
    maxBodyBytes: admin.info?.max_payload ?? 0,
    connect: open,
    connectBeside: open,
    removeStream: async ({ name }) => {
      await manager.streams.delete(name).catch(() => undefined);
    },
    close: () => admin.close(),
  };
});

describe('a message on NATS that is not JSON', () => {
  it('is buried without its body, and can be dropped but not retried', async () => {
    const admin = await connect({ servers: testNatsUrl() });
    const prefix = `spec-${globalThis.crypto.randomUUID()}`;
    const stream = { name: prefix, kind: 'work', subject: `${prefix}.>` } as const;
    const streamLimits = { maxBytes: 16 * 1024 * 1024 };
    const bus = await connectNatsBus({
      url: testNatsUrl(),
      name: 'spec',
      logger: silentLogger,
      streamLimits,
    });
    await bus.consume({ stream, durable: 'reader' }, async () => undefined);
    admin.publish(`${prefix}.x`, 'no JSON');
    await waitUntil(async () => (await bus.deadLetters(stream, 10)).length === 1);
    const [letter] = await bus.deadLetters(stream, 10);
    expect(letter).toMatchObject({ body: null, bodyOmitted: true, code: 'validation_error' });
    const id = letter?.id ?? '';
    await expect(bus.retryDeadLetter(stream, id)).rejects.toMatchObject({ code: 'validation_error' });
    expect(await bus.dropDeadLetter(stream, id)).toBe(true);
    expect(await bus.deadLetters(stream, 10)).toEqual([]);
    await bus.close();
    await (await jetstreamManager(admin)).streams.delete(stream.name);
    await admin.close();
  });
});
