import type { JsonObject } from '@palimpsest/contracts';
import { z } from 'zod';
import { runError } from '../engine/run-errors.js';
import { memberOf } from '../values/scope.js';
import { schemaProblems } from './config-problems.js';
import type { NodeType, NodeWork } from './node-type.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const duration = z
  .number()
  .min(0)
  .max(366 * DAY_MS)
  .optional();

/** Milliseconds. Other keys are left alone: fixtures describe themselves in their configuration. */
const configSchema = z.looseObject({
  delayMs: duration,
  durationMs: duration,
  minDelayMs: duration,
  maxDelayMs: duration,
});

/** `core.delay`: completes so many milliseconds after its start. */
export const delay: NodeType = {
  problemsOf: (config) => schemaProblems(configSchema, config),
  perform(work) {
    const delayMs = requestedDelay(work);
    const bounds = boundsOf(work.node.config);
    if (typeof delayMs !== 'number' || !(delayMs >= bounds.least && delayMs <= bounds.most)) {
      const message = `A delay must be a number of ms from ${bounds.least} to ${bounds.most}.`;
      return { kind: 'fail', error: runError('invalid_delay', message) };
    }
    return { kind: 'sleep', delayMs: Math.ceil(delayMs) };
  },
};

function requestedDelay({ inputs, node: { config }, variables }: NodeWork): unknown {
  return (
    memberOf(inputs, 'delayMs') ??
    memberOf(config, 'delayMs') ??
    memberOf(config, 'durationMs') ??
    memberOf(variables, 'delayMs')
  );
}

function boundsOf(config: JsonObject): { least: number; most: number } {
  return { least: Number(config['minDelayMs'] ?? 0), most: Number(config['maxDelayMs'] ?? DAY_MS) };
}
