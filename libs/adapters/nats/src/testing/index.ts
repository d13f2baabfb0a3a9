export {
  createTestNatsServer,
  freePort,
  natsServerBinary,
  testNatsUrl,
  type TestNatsServer,
} from './nats-server.js';
