import { createModel } from '@palimpsest/adapter-model';
import { startWireServer, type WireServer } from '@palimpsest/adapter-model/testing';
import { connectNatsBus } from '@palimpsest/adapter-nats';
import type { ArtifactStore, MessageBus } from '@palimpsest/kernel';
import { silentLogger } from '@palimpsest/kernel';
import { summaryMaker, SummarizerWorkerModule } from '@palimpsest/summarizer-worker';

const PROSE = 'The parcel has to be in Turku before the fair begins; rail takes two days and road one.';

/** A model that always takes the same time, on this machine. */
export function fixedLatencyModel(latencyMs: number): Promise<WireServer> {
  return startWireServer({ respond: () => ({ kind: 'text', text: PROSE, latencyMs }) });
}

export type FleetPorts = {
  readonly natsUrl: string;
  readonly artifacts: ArtifactStore;
  readonly model: WireServer;
};

/** Workers as they run apart, each on a connection of its own; one job at a time each. */
export async function startFleet(
  workers: number,
  { natsUrl, artifacts, model }: FleetPorts,
): Promise<() => Promise<void>> {
  const started = await Promise.all(
    Array.from({ length: workers }, async (_, index) => {
      const bus = await openBus(natsUrl, `bench-worker-${index}`);
      const worker = new SummarizerWorkerModule({
        bus,
        logger: silentLogger,
        ids: { requestId: () => globalThis.crypto.randomUUID() },
        makeSummary: summaryMaker({
          artifacts,
          logger: silentLogger,
          model: {
            model: createModel({ provider: 'openai-compatible', baseUrl: model.baseUrl, model: 'fixed' }),
          },
        }),
      });
      await worker.onApplicationBootstrap();
      return { bus, worker };
    }),
  );
  return async () => {
    for (const { bus, worker } of started) {
      await worker.onModuleDestroy();
      await bus.close();
    }
  };
}

export function openBus(url: string, name: string): Promise<MessageBus> {
  return connectNatsBus({ url, name, logger: silentLogger, streamLimits: { maxBytes: 16 * 1024 * 1024 } });
}
