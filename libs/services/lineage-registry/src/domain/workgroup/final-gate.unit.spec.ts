import { DecidedWorkgroup, refusalOf } from '../../testing/decided-workgroup.js';
import {
  currentFacts,
  inheritCommand,
  registerCommand,
  resumeCommand,
  TENANT,
  WORKGROUP,
} from '../../testing/lineage-records.js';
import { decideAdvancePhase, decideApprove, decideCoordinate } from './coordinate.js';
import { decideInherit } from './inherit.js';
import { decideRegister } from './register.js';
import { decideResume } from './resume.js';

const KEY = { tenantId: TENANT, workgroupId: WORKGROUP };

function approved(finalGate: boolean): DecidedWorkgroup {
  const decided = DecidedWorkgroup.opened({ leaseMs: 86_400_000 });
  decided.give(decideApprove, { ...KEY, fence: 1, subject: 'release', finalGate });
  return decided;
}

/** The gate as a state, with a lineage that it did not evict. */
function gated(how: 'held' | 'idle'): DecidedWorkgroup {
  const decided = DecidedWorkgroup.opened();
  decided[how]('one');
  decided.workgroup = { ...decided.workgroup, finalGate: true };
  return decided;
}

const VERDICT = { lineageId: 'one', state: 'INVALID', invalidations: ['FINAL_GATE'] };

describe('behind the final gate', () => {
  it.each([true, false])('nobody registers: %p', (finalGate) => {
    const outcome = approved(finalGate).act(decideRegister, registerCommand('one'));
    const refusal = { code: 'final_gate', details: { workgroupId: WORKGROUP } };
    expect(refusalOf(outcome)).toEqual(finalGate ? refusal : {});
    expect(outcome.events).toHaveLength(finalGate ? 0 : 1);
  });

  it('nobody resumes, whatever the caller says of the gate; the lineage leaves', () => {
    const decided = gated('idle');
    const current = currentFacts({ final_gate: false });
    const outcome = decided.act(decideResume, resumeCommand('one', { current }));
    const details = { ...VERDICT, evicted: 'FINAL_GATE' };
    expect(refusalOf(outcome)).toEqual({ code: 'resume_refused', details });
    expect(decided.lineage('one')).toMatchObject({ status: 'evicted', eviction: 'FINAL_GATE' });
  });

  it('nobody inherits', () => {
    const outcome = gated('held').act(decideInherit, inheritCommand('one', 'child'));
    expect(refusalOf(outcome)).toEqual({ code: 'inheritance_refused', details: VERDICT });
  });

  it.each([
    [
      'another approval',
      (decided: DecidedWorkgroup) => decided.act(decideApprove, { ...KEY, fence: 1, subject: 'x' }),
    ],
    [
      'who coordinates',
      (decided: DecidedWorkgroup) => decided.act(decideCoordinate, { ...KEY, takeOver: true }),
    ],
  ])('it stays so, whatever happens: %s', (_, happens) => {
    const decided = approved(true);
    expect(happens(decided).answer).toBeDefined();
    expect(refusalOf(decided.act(decideRegister, registerCommand('one')))).toMatchObject({
      code: 'final_gate',
    });
  });

  it('it is over once the coordinator advances the phase', () => {
    const decided = approved(true);
    decided.give(decideAdvancePhase, { ...KEY, fence: 1, phase: '1B' });
    expect(decided.held('one').lineage.status).toBe('held');
    expect(decided.workgroup.finalGate).toBe(false);
  });

  it('a phase that is not advanced leaves it', () => {
    const decided = approved(true);
    decided.act(decideAdvancePhase, { ...KEY, fence: 9, phase: '1B' });
    expect(decided.workgroup.finalGate).toBe(true);
  });
});

describe('a final gate that only a caller knows of', () => {
  it('refuses its resume, and evicts nobody', () => {
    const decided = DecidedWorkgroup.opened();
    decided.idle('one');
    const current = currentFacts({ final_gate: true });
    const outcome = decided.act(decideResume, resumeCommand('one', { current }));
    expect(refusalOf(outcome)).toEqual({ code: 'resume_refused', details: VERDICT });
    expect(decided.give(decideResume, resumeCommand('one')).lineage.status).toBe('held');
  });
});
