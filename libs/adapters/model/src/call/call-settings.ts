import { setTimeout as delay } from 'node:timers/promises';
import { silentLogger, systemClock } from '@palimpsest/kernel';
import type { CallSettings, ModelLimits, ModelSeams } from '../model-options.js';

export function callSettings(options: ModelLimits & ModelSeams): CallSettings {
  return {
    maxAttempts: options.maxAttempts ?? 4,
    maxRepairs: options.maxRepairs ?? 2,
    totalTimeoutMs: options.totalTimeoutMs ?? 600_000,
    reasoningTokens: options.reasoningTokens ?? 0,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    sleep: options.sleep ?? sleep,
    startTimer: options.startTimer ?? startTimer,
    logger: options.logger ?? silentLogger,
  };
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  // Whoever waits looks at the signal: an aborted wait is none that failed.
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

function startTimer(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
}
