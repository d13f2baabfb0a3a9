import { contextBudgetClaimSchema } from './context-budget-claim.js';
import { executionModelClaimSchema, multiAgentClaimSchema } from './execution-model-claim.js';

const budget = {
  transcriptTokenBudget: 520,
  tokenCounter: 'chars',
  summarization: { supported: true, strategy: 'sliding-window', keepLastTurns: 2 },
};

const model = {
  supported: true,
  version: 5,
  confidenceEscalationFloor: 0.5,
  confidenceEscalationInterruptKind: 'approval',
  crossHostCausation: { supported: true, hostId: 'host.example' },
  replayDeterminism: {
    supported: true,
    llmCacheKeyRecipe: 'spec-rfc-0041',
    refusalDivergenceEmission: true,
  },
  statefulResume: true,
  contextBudget: budget,
};

describe('the claim of a context budget', () => {
  it.each([
    budget,
    {},
    { tokenCounter: 'host-defined' },
    { transcriptTokenBudget: 1, tokenCounter: 'o200k_base' },
    { summarization: { supported: false } },
    { ...budget, summarization: { supported: true, strategy: 'recursive', keepLastTurns: 0 } },
    { ...budget, summarization: { supported: true, strategy: 'map-reduce' } },
  ])('takes %j', (claim) => {
    expect(contextBudgetClaimSchema.parse(claim)).toEqual(claim);
  });

  it('needs a counter where there is a budget', () => {
    const { error } = contextBudgetClaimSchema.safeParse({ transcriptTokenBudget: 520 });
    expect(error?.issues).toMatchObject([{ path: ['tokenCounter'] }]);
  });

  it.each([
    { ...budget, transcriptTokenBudget: 0 },
    { ...budget, transcriptTokenBudget: 1.5 },
    { ...budget, transcriptTokenBudget: '520' },
    { ...budget, tokenCounter: 'words' },
    { ...budget, summarization: {} },
    { ...budget, summarization: { supported: true, strategy: 'none' } },
    { ...budget, summarization: { supported: true, keepLastTurns: -1 } },
    { ...budget, summarization: { supported: true, model: 'm' } },
    { ...budget, summarization: true },
    { ...budget, maximum: 1 },
  ])('refuses %j', (claim) => {
    expect(contextBudgetClaimSchema.safeParse(claim).success).toBe(false);
  });
});

describe('the claim of an execution model', () => {
  const without = (name: keyof typeof model) =>
    Object.fromEntries(Object.entries(model).filter(([key]) => key !== name));

  it.each([
    model,
    without('contextBudget'),
    { supported: true, version: 1 },
    { ...model, version: 6, verifier: { supported: true, gating: false } },
    { ...model, confidenceEscalationInterruptKind: 'x-host-acme-page' },
    { ...model, tier: 'experimental', experimentalUntil: '2027-01-31' },
    { ...model, transcriptWindow: 1 },
  ])('takes %j', (claim) => {
    expect(executionModelClaimSchema.parse(claim)).toEqual(claim);
  });

  it.each([
    [without('crossHostCausation'), 'crossHostCausation'],
    [{ ...model, crossHostCausation: { supported: false, hostId: 'h' } }, 'crossHostCausation'],
    [without('replayDeterminism'), 'replayDeterminism'],
    [
      { ...model, replayDeterminism: { supported: true, llmCacheKeyRecipe: 'spec-rfc-0041' } },
      'replayDeterminism',
    ],
    [{ supported: true, version: 2, contextBudget: budget }, 'contextBudget'],
    [{ ...model, tier: 'experimental' }, 'experimentalUntil'],
  ])('refuses %j at %s, which its version needs', (claim, path) => {
    expect(executionModelClaimSchema.safeParse(claim).error?.issues).toMatchObject([{ path: [path] }]);
  });

  it.each([
    without('version'),
    { ...model, version: 7 },
    { ...model, version: '5' },
    { ...model, surprise: true },
    { ...model, confidenceEscalationFloor: 0.4 },
    { ...model, confidenceEscalationInterruptKind: 'x-host-acme' },
    { ...model, crossHostCausation: { supported: true, hostId: '' } },
    { ...model, crossHostCausation: { ...model.crossHostCausation, region: 'eu' } },
    { ...model, replayDeterminism: { ...model.replayDeterminism, llmCacheKeyRecipe: 'mine' } },
    { ...model, statefulResume: 'yes' },
    { ...model, transcriptWindow: 0 },
    { ...model, contextBudget: { transcriptTokenBudget: 520 } },
  ])('refuses %j', (claim) => {
    expect(executionModelClaimSchema.safeParse(claim).success).toBe(false);
  });

  it('stands alone in its family', () => {
    expect(multiAgentClaimSchema.safeParse({ executionModel: model }).success).toBe(true);
    expect(multiAgentClaimSchema.safeParse({ executionModel: model, other: {} }).success).toBe(false);
  });
});
