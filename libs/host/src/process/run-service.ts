import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import type { Logger } from '@palimpsest/kernel';
import { startHealthListener } from '../health/health-listener.js';
import { createReadiness, type ReadinessCheck } from '../health/readiness.js';
import { nestLogger } from '../logging/nest-logger.js';
import { shutDownOnSignal, type SignalSource } from './graceful-shutdown.js';

export type RunningService = {
  readonly app: INestApplicationContext;
  readonly healthPort: number;
  close(): Promise<void>;
};

export type ServiceOptions = {
  /** The app's root module. */
  readonly module: Parameters<typeof NestFactory.createApplicationContext>[0];
  readonly config: { readonly host: string; readonly healthPort: number; readonly shutdownTimeoutMs: number };
  readonly logger: Logger;
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  /** Closed after the module, in this order: connections that the module uses. */
  readonly resources?: readonly (() => Promise<void>)[];
  readonly signals?: SignalSource;
};

/** A service process without a public listener: its module, a health listener, and a clean end on a signal. */
export async function runService(options: ServiceOptions): Promise<RunningService> {
  const { config, logger } = options;
  const app = await NestFactory.createApplicationContext(options.module, {
    logger: nestLogger(logger),
    abortOnError: false,
  });
  const readiness = createReadiness(options.checks);
  const health = await startHealthListener({ host: config.host, port: config.healthPort, readiness });
  const close = async (): Promise<void> => {
    readiness.drain();
    await app.close();
    for (const release of options.resources ?? []) await release();
    await health.close();
  };
  shutDownOnSignal({
    close,
    timeoutMs: config.shutdownTimeoutMs,
    logger,
    ...(options.signals && { signals: options.signals }),
  });
  logger.info({ healthPort: health.port }, 'Ready');
  return { app, healthPort: health.port, close };
}
