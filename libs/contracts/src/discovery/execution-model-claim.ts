import { z } from 'zod';
import { contextBudgetClaimSchema } from './context-budget-claim.js';

/** What an interrupt for a low confidence may be; a host may have a kind of its own. */
const escalationKind = z.union([
  z.enum(['clarification', 'approval']),
  z.string().regex(/^x-host-[a-z][a-z0-9-]*-[a-z][a-z0-9-]*$/),
]);

const crossHostCausation = z.strictObject({
  supported: z.boolean(),
  hostId: z.string().min(1),
  ancestryEndpointSupported: z.boolean().optional(),
});

const replayDeterminism = z.strictObject({
  supported: z.boolean(),
  llmCacheKeyRecipe: z.union([z.literal('spec-rfc-0041'), z.string().regex(/^x-host-.+$/)]).optional(),
  refusalDivergenceEmission: z.boolean().optional(),
});

const verifier = z.strictObject({ supported: z.boolean(), gating: z.boolean().optional() });

const claim = z.strictObject({
  supported: z.boolean(),
  version: z.int().min(1).max(6),
  tier: z.enum(['stable', 'experimental']).optional(),
  experimentalUntil: z.iso.date().optional(),
  confidenceEscalationFloor: z.number().min(0.5).max(1).optional(),
  confidenceEscalationInterruptKind: escalationKind.optional(),
  crossChildMemoryConcurrency: z.enum(['strict', 'advisory']).optional(),
  crossHostCausation: crossHostCausation.optional(),
  replayDeterminism: replayDeterminism.optional(),
  statefulResume: z.boolean().optional(),
  transcriptWindow: z.int().min(1).optional(),
  contextBudget: contextBudgetClaimSchema.optional(),
  verifier: verifier.optional(),
});

type Claim = z.infer<typeof claim>;

/** What a claimed version brings with it, and what needs a version (host specification §1.3: N implies 1 to N). */
const RULES: readonly {
  readonly holds: (claim: Claim) => boolean;
  readonly path: string;
  readonly message: string;
}[] = [
  {
    holds: ({ version, crossHostCausation: causation }) => version < 3 || causation?.supported === true,
    path: 'crossHostCausation',
    message: 'has to be supported from version 3',
  },
  {
    holds: ({ version, replayDeterminism: replay }) =>
      version < 4 || (replay?.supported === true && replay.refusalDivergenceEmission === true),
    path: 'replayDeterminism',
    message: 'has to be supported, with refusalDivergenceEmission, from version 4',
  },
  {
    holds: ({ version, contextBudget }) => version >= 5 || contextBudget === undefined,
    path: 'contextBudget',
    message: 'needs version 5',
  },
  {
    holds: ({ tier, experimentalUntil }) => tier !== 'experimental' || experimentalUntil !== undefined,
    path: 'experimentalUntil',
    message: 'is required where the tier is experimental',
  },
];

/** `multiAgent.executionModel` of a discovery document (host specification §1.3, closed). */
export const executionModelClaimSchema = claim.superRefine((value, context) => {
  for (const { holds, path, message } of RULES) {
    if (!holds(value)) context.addIssue({ code: 'custom', path: [path], message });
  }
});

/** `multiAgent` itself is closed too. */
export const multiAgentClaimSchema = z.strictObject({ executionModel: executionModelClaimSchema });

export type ExecutionModelClaim = z.infer<typeof executionModelClaimSchema>;
