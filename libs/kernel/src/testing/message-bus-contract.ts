import type { StreamSpec } from '@palimpsest/contracts';
import type { MessageBus } from '../ports/message-bus.js';
import { droppedLetterCases, retriedLetterCases } from './message-bus/dead-letter-cases.js';
import { deadLetterCases, retryCases } from './message-bus/failure-cases.js';
import type { BusCase, MessageBusHarness } from './message-bus/harness.js';
import { bodySizeCases, requestCases, requestFailureCases } from './message-bus/request-cases.js';
import { sharingCases, streamCases } from './message-bus/stream-cases.js';
import { closingCases, wakeCases } from './message-bus/wake-cases.js';

/** What every `MessageBus` keeps. `open` is called once; every case has buses, streams and subjects of its own. */
export function messageBusContract(name: string, open: () => Promise<MessageBusHarness>): void {
  describe(`MessageBus: ${name}`, () => {
    let harness: MessageBusHarness;
    let current: OpenedCase;
    const openCase = () => current;

    beforeAll(async () => {
      harness = await open();
    });
    beforeEach(async () => {
      current = await openedCase(harness);
    });
    afterEach(() => current.leave());
    afterAll(() => harness.close());

    describe('requests', () => requestCases(openCase));
    describe('requests that fail', () => requestFailureCases(openCase));
    describe('sizes of bodies', () => bodySizeCases(openCase));
    describe('streams', () => streamCases(openCase));
    describe('consumers that share, stop and come back', () => sharingCases(openCase));
    describe('retries', () => retryCases(openCase));
    describe('dead letters', () => deadLetterCases(openCase));
    describe('dead letters that are retried', () => retriedLetterCases(openCase));
    describe('dead letters that are dropped', () => droppedLetterCases(openCase));
    describe('wake-ups', () => wakeCases(openCase));
    describe('closing', () => closingCases(openCase));
  });
}

type OpenedCase = BusCase & { leave(): Promise<void> };

async function openedCase(harness: MessageBusHarness): Promise<OpenedCase> {
  const prefix = `spec-${globalThis.crypto.randomUUID()}`;
  const streams: StreamSpec[] = [];
  const bus = await harness.connect();
  const buses: MessageBus[] = [bus, await harness.connectBeside(bus)];
  const closeAll = () => Promise.all(buses.map((one) => one.close()));
  return {
    bus,
    peer: buses[1] ?? bus,
    maxBodyBytes: harness.maxBodyBytes,
    restart: async () => {
      await closeAll();
      const again = await harness.connect();
      buses.push(again);
      return again;
    },
    subject: (name) => `${prefix}.subject.${name}`,
    stream: (kind, name = 'stream') => {
      const stream = { name: `${prefix}-${name}`, kind, subject: `${prefix}.${name}.>` };
      streams.push(stream);
      return stream;
    },
    leave: async () => {
      await closeAll();
      for (const stream of streams) await harness.removeStream(stream);
    },
  };
}
