import type { Logger } from '@palimpsest/kernel';
import type { ModelHarness } from '@palimpsest/kernel/testing';
import { createModel } from '../create-model.js';
import type { ModelLimits, ModelProvider } from '../model-options.js';
import type { WireReply } from './wire-reply.js';
import { startWireServer, type WireServer } from './wire-server.js';

export type ModelHarnessOptions = ModelLimits & {
  readonly provider: ModelProvider['provider'];
  readonly model?: string;
  /** Milliseconds since 1970 that the clock shows; each pause moves it. */
  readonly startsAt?: number;
};

export type WireModelHarness = Omit<ModelHarness, 'script'> & {
  script(...replies: readonly WireReply[]): void;
  readonly server: WireServer;
};

const KEY = 'sk-test-0123456789abcdefghijklmnop';

/** A model on a server of its own, with a clock that moves in pauses only and timers that run out when told to. */
export async function openModelHarness(options: ModelHarnessOptions): Promise<WireModelHarness> {
  const { provider, model = 'm-1', startsAt = 1_700_000_000_000, ...limits } = options;
  const replies: WireReply[] = [];
  const server = await startWireServer({
    apiKey: KEY,
    respond: () => replies.shift() ?? { kind: 'error', status: 418, code: 'script_is_over' },
  });
  const pauses: number[] = [];
  const timers = new Set<() => void>();
  const { logger, lines } = recordingLogger();
  return {
    model: createModel({
      ...{ provider, model, baseUrl: server.baseUrl, apiKey: KEY },
      ...{ maxAttempts: 3, maxRepairs: 2, ...limits },
      clock: { now: () => new Date(startsAt + pauses.reduce((sum, ms) => sum + ms, 0)) },
      random: () => 0.5,
      sleep: async (ms) => void pauses.push(ms),
      startTimer: (_, act) => {
        timers.add(act);
        return () => void timers.delete(act);
      },
      logger,
    }),
    provider,
    modelName: model,
    script: (...next) => void replies.push(...next),
    sent: () => server.requests,
    expire: () => [...timers].forEach((act) => act()),
    pauses: () => pauses,
    key: KEY,
    logged: () => lines.join('\n'),
    server,
    close: () => server.close(),
  };
}

function recordingLogger(): { readonly logger: Logger; readonly lines: readonly string[] } {
  const lines: string[] = [];
  const write = (fields: object, message: string) => void lines.push(JSON.stringify({ ...fields, message }));
  return { logger: { debug: write, info: write, warn: write, error: write }, lines };
}
