import type { JsonObject } from '@palimpsest/contracts';
import { MOST_TURNS } from '@palimpsest/workflow';
import { TEST_KEY_PREFIX } from '../domain/api-key.js';
import { FORK_MODES } from '../domain/requests.js';
import {
  ENGINE_VERSION,
  ENGINE_VERSIONS,
  EVENT_LOG_SCHEMA_VERSION,
  PROTOCOL_VERSION,
} from '../domain/versions.js';
import type { GatewayOptions } from '../gateway-options.js';
import { executionModelClaim } from './execution-model.js';
import { PRODUCT_VERSION } from './product-version.js';

export type DiscoverySources = {
  readonly options: Pick<
    GatewayOptions,
    'maxBodyBytes' | 'idempotencyTtlMs' | 'engineLimits' | 'claims' | 'context'
  >;
  /** Workflows that runs can be made of. */
  readonly fixtureIds: readonly string[];
};

/**
 * What this host says of itself (host specification §1), claim by claim. A claim stands here once what backs it is
 * served, and is read from what backs it wherever that can be configured. Families not listed are not served.
 */
export function discoveryDocument({ options, fixtureIds }: DiscoverySources): JsonObject {
  const { maxNodeExecutions, maxRunDurationMs, maxLoopIterations = MOST_TURNS } = options.engineLimits;
  const { modelTurns } = options.claims;
  return {
    protocolVersion: PROTOCOL_VERSION,
    implementation: { name: 'palimpsest', version: PRODUCT_VERSION, vendor: 'palimpsest' },
    supportedTransports: ['rest'],

    // Clarification gates suspend a run until they are answered.
    supportedEnvelopes: ['clarification.request'],
    schemaVersions: {},

    limits: {
      // The first three are the protocol's conventional bounds of one model turn.
      clarificationRounds: 3,
      schemaRounds: 2,
      envelopesPerTurn: 5,
      // The engine ends a run at these: cap.breached, then run.failed.
      maxNodeExecutions,
      maxRunDurationMs,
      maxLoopIterations,
      // What is longer is refused with 413; most commands take less.
      maxRequestBodyBytes: options.maxBodyBytes,
    },

    eventLogSchemaVersion: EVENT_LOG_SCHEMA_VERSION,
    engineVersion: ENGINE_VERSION,

    ...LOOP_CLAIMS,
    multiAgent: { executionModel: executionModelClaim(options.claims, options.context) as JsonObject },

    // A provider.usage event for each call of a model. What calls cost is not estimated.
    ...(modelTurns && { providerUsage: { supported: true } }),

    // POST /v1/runs/{runId}:fork takes exactly these modes. Effects of a replay are those on record: node types are
    // classified before they are executed, and every seam demands a permit that no replay gets.
    replay: { supported: true, modes: [...FORK_MODES], sideEffectSuppression: 'recorded-outcome' },

    // Layer 1: the Idempotency-Key of every POST and DELETE, kept in one database. Layer 2: calls of models.
    idempotency: {
      supported: true,
      layer1RetentionSeconds: Math.floor(options.idempotencyTtlMs / 1000),
      ...(modelTurns && { layer2RetentionSeconds: LAYER2_RETENTION_SECONDS }),
      crossRegion: 'single-region',
    },

    // ETag and 304 of GET /v1/runs/{runId}; http/compression.ts for JSON and event streams.
    restTransport: { conditionalRunGet: true, contentEncodings: ['gzip'] },

    fixtures: [...new Set(fixtureIds)].filter((id) => id !== '').sort(),

    // Live keys are refused both (http/request-gate.ts).
    testing: { testKeyPrefix: TEST_KEY_PREFIX, forceEngineVersionRange: { ...ENGINE_VERSIONS } },
  };
}

/** How long what a model answered to an invocation is kept for it (host specification §8.2): 14 days. */
const LAYER2_RETENTION_SECONDS = 14 * 86_400;

/**
 * core.orchestrator.supervisor and core.dispatch (host specification §1.5), in both forms that gates read. No `agent.*`
 * events are emitted, so `agents.supported` is false. Several workers are handed off to one after the other.
 */
const LOOP_CLAIMS = {
  agents: { supported: false, orchestrator: true, dispatch: true, dispatchMapping: true },
  orchestrator: { supported: true, workerIdInterpretation: 'either', fanOutSupported: true },
  dispatch: {
    supported: true,
    models: ['child-run'],
    fanOutSupported: true,
    askUserRoutings: ['clarification', 'auto'],
  },
} as const satisfies JsonObject;
