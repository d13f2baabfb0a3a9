import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { silentLogger } from '@palimpsest/kernel';
import { messageBusContract } from '@palimpsest/kernel/testing';
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
