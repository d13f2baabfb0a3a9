// Host specification §1.3 (`executionModel`, `contextBudget`), §5.6.
import { isWhole } from '../client/expectations.js';
import { contextBudgetOf, executionModel, type Scenario } from '../scenario.js';

const COUNTERS = ['o200k_base', 'cl100k_base', 'chars', 'host-defined'];
const STRATEGIES = ['sliding-window', 'recursive', 'map-reduce'];

export const scenario: Scenario = {
  name: 'agent-loop-version5-shape',
  needs: executionModel(5),
  tests(host) {
    const model = async () =>
      (await host.discovery())['multiAgent'].executionModel as Record<string, unknown>;

    it('claims a version of the loop that there is', async () => {
      const { supported, version } = await model();
      expect(supported).toBe(true);
      expect([1, 2, 3, 4, 5]).toContain(version);
    });

    it('says of the stateful loop what it may', async () => {
      const { statefulResume = true, transcriptWindow = 1 } = await model();
      expect(typeof statefulResume).toBe('boolean');
      expect(isWhole(transcriptWindow, 1)).toBe(true);
    });

    it('claims what the versions before demand', async () => {
      const { crossHostCausation, replayDeterminism } = await model();
      expect(crossHostCausation).toMatchObject({ supported: true });
      expect(replayDeterminism).toMatchObject({ supported: true, refusalDivergenceEmission: true });
    });

    it('has a unit where it has a budget, and summaries of a kind that there is', async () => {
      const budget = contextBudgetOf(await host.discovery());
      if (budget === undefined) return;
      expect(strayKeys(budget, ['transcriptTokenBudget', 'tokenCounter', 'summarization'])).toEqual([]);
      if (budget.transcriptTokenBudget !== undefined) {
        expect(isWhole(budget.transcriptTokenBudget, 1)).toBe(true);
        expect(COUNTERS).toContain(budget.tokenCounter);
      }
      const { summarization } = budget;
      if (summarization === undefined) return;
      expect(strayKeys(summarization, ['supported', 'strategy', 'keepLastTurns'])).toEqual([]);
      expect(typeof summarization.supported).toBe('boolean');
      expect([undefined, ...STRATEGIES]).toContain(summarization.strategy);
      expect(isWhole(summarization.keepLastTurns ?? 0, 0)).toBe(true);
    });

    it('is a closed object', async () => {
      const known = [
        ...['supported', 'version', 'tier', 'experimentalUntil', 'confidenceEscalationFloor'],
        ...['confidenceEscalationInterruptKind', 'crossChildMemoryConcurrency', 'crossHostCausation'],
        ...['replayDeterminism', 'statefulResume', 'transcriptWindow', 'contextBudget'],
      ];
      expect(strayKeys(await model(), known)).toEqual([]);
    });
  },
};

function strayKeys(found: object, known: readonly string[]): readonly string[] {
  return Object.keys(found).filter((key) => !known.includes(key));
}
