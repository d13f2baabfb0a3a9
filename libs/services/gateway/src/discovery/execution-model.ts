import type { ContextBudgetClaim, ContextSettings, ExecutionModelClaim } from '@palimpsest/contracts';
import { CONFIDENCE_FLOOR } from '@palimpsest/workflow';
import { resolveLoopContext, type HostContext } from '../domain/context-settings.js';
import type { HostClaims } from '../gateway-options.js';

/**
 * `multiAgent.executionModel` (host specification §1.3), version 5: hand-offs as events, decisions below the floor
 * ratified by an approval, causes on this host only, forks that repeat what was recorded, an iteration on every decision
 * that a human's answer does not restart. Without memory nothing of its life cycle is owed; the path of ancestry is not
 * served, and so not claimed.
 * @throws BudgetInfeasibleError where the budget to be claimed cannot be kept
 */
export function executionModelClaim(claims: HostClaims, context: HostContext): ExecutionModelClaim {
  return {
    supported: true,
    version: 5,
    confidenceEscalationFloor: CONFIDENCE_FLOOR,
    confidenceEscalationInterruptKind: 'approval',
    crossHostCausation: { supported: true, hostId: claims.hostId },
    replayDeterminism: {
      supported: true,
      llmCacheKeyRecipe: 'spec-rfc-0041',
      refusalDivergenceEmission: true,
    },
    statefulResume: true,
    ...(claims.modelTurns &&
      claims.contextBudget && { contextBudget: contextBudgetClaim(resolveLoopContext({}, context)) }),
  };
}

/** What a loop run that asks for nothing is held to, and the most that it may ask for. */
function contextBudgetClaim(settings: ContextSettings): ContextBudgetClaim {
  const { transcriptTokenBudget, tokenCounter, strategy, keepLastTurns } = settings;
  return {
    transcriptTokenBudget,
    tokenCounter,
    // Without summaries the oldest turns are dropped, and no `context.summarized` comes.
    ...(strategy !== 'none' && { summarization: { supported: true, strategy, keepLastTurns } }),
  };
}
