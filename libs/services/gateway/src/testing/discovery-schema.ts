import { z } from 'zod';
import { multiAgentClaimSchema } from '@palimpsest/contracts';

const count = z.int().min(0);

/** The document of host specification §1.2: an open root, and families that are closed where the protocol closes them. */
export const discoverySchema = z.looseObject({
  protocolVersion: z.string().regex(/^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$/),
  supportedEnvelopes: z.array(z.string().min(1)),
  schemaVersions: z.record(z.string(), count),
  limits: z.strictObject({
    clarificationRounds: count,
    schemaRounds: count,
    envelopesPerTurn: count,
    maxNodeExecutions: z.int().min(1).optional(),
    maxRunDurationMs: z.int().min(1000).optional(),
    maxLoopIterations: z.int().min(1).optional(),
    maxBudgetTokens: count.optional(),
    maxBudgetCostUsd: z.number().min(0).optional(),
    maxRequestBodyBytes: z.int().min(1).optional(),
  }),
  implementation: z.strictObject({
    name: z.string().min(1),
    version: z.string().min(1),
    vendor: z.string().min(1),
  }),
  supportedTransports: z.array(z.enum(['rest', 'mcp', 'a2a', 'grpc'])),
  engineVersion: count,
  eventLogSchemaVersion: count,
  agents: z.looseObject({
    supported: z.literal(false),
    orchestrator: z.literal(true),
    dispatch: z.literal(true),
    dispatchMapping: z.literal(true),
  }),
  orchestrator: z.strictObject({
    supported: z.literal(true),
    workerIdInterpretation: z.enum(['node', 'agent', 'either']),
    fanOutSupported: z.boolean(),
  }),
  dispatch: z.strictObject({
    supported: z.literal(true),
    models: z.array(z.string().min(1)).min(1),
    fanOutSupported: z.boolean(),
    askUserRoutings: z.array(z.enum(['conversation', 'clarification', 'auto'])).min(1),
  }),
  multiAgent: multiAgentClaimSchema,
  providerUsage: z
    .strictObject({
      supported: z.boolean(),
      costEstimates: z.boolean().optional(),
      currency: z.string().optional(),
    })
    .optional(),
  replay: z.strictObject({
    supported: z.literal(true),
    modes: z.array(z.enum(['replay', 'branch'])).min(1),
    sideEffectSuppression: z.enum(['recorded-outcome', 'none']).optional(),
  }),
  idempotency: z.looseObject({
    supported: z.boolean(),
    layer1RetentionSeconds: z.int().min(86_400),
    layer2RetentionSeconds: count.optional(),
    crossRegion: z.enum(['single-region', 'reconciled-records', 'fenced-effects']),
  }),
  restTransport: z.strictObject({
    conditionalRunGet: z.boolean(),
    contentEncodings: z.array(z.enum(['gzip', 'br', 'zstd'])),
  }),
  fixtures: z.array(z.string().min(1)).refine((ids) => new Set(ids).size === ids.length),
  testing: z.looseObject({
    testKeyPrefix: z.string().min(1),
    forceEngineVersionRange: z.strictObject({ min: count, max: count }),
  }),
});

/** What the host does not serve yet, and so must not claim. */
export const UNCLAIMED = ['aiProviders', 'capabilities', 'contextBudget'] as const;
