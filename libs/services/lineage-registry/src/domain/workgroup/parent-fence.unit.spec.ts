import { DecidedWorkgroup, refusalOf } from '../../testing/decided-workgroup.js';
import { delegation, NOW, READER, workgroupOf, lineageCalled } from '../../testing/delegations.js';
import { inheritCommand, recordFacts, registerCommand, TENANT } from '../../testing/lineage-records.js';
import { decideDelegation } from '../delegation/decide-delegation.js';
import { decideEvict } from './evict.js';
import { decideRelease } from './hold-lineage.js';
import { decideInherit } from './inherit.js';
import { decideRegister } from './register.js';

const record = recordFacts('child', { parent_lineage_id: 'parent' });

/** Its parent was granted fence 2, and is as `then` leaves it. */
function withParent(then: (decided: DecidedWorkgroup) => void): DecidedWorkgroup {
  const decided = DecidedWorkgroup.opened();
  decided.held('parent');
  then(decided);
  return decided;
}

const begin = {
  register: (decided: DecidedWorkgroup, fence?: number) =>
    decided.act(decideRegister, registerCommand('child', { record, ...(fence && { parentFence: fence }) })),
  inherit: (decided: DecidedWorkgroup, fence?: number) =>
    decided.act(decideInherit, inheritCommand('parent', 'child', { ...(fence && { parentFence: fence }) })),
};

describe.each(['register', 'inherit'] as const)('the parent’s fence, to %s', (name) => {
  it.each([
    [1, false],
    [2, true],
    [3, false],
  ])('holds where it is given: %i', (fence, holds) => {
    const outcome = begin[name](
      withParent(() => undefined),
      fence,
    );
    const details = { lineageId: 'parent', status: 'held' };
    expect(refusalOf(outcome)).toEqual(holds ? {} : { code: 'stale_fence', details });
    expect(outcome.events).toHaveLength(holds ? 1 : 0);
  });

  it('holds nobody who is idle; without it that does not matter', () => {
    const idle = (decided: DecidedWorkgroup) =>
      decided.give(decideRelease, { tenantId: TENANT, lineageId: 'parent', fence: 2 });
    expect(refusalOf(begin[name](withParent(idle), 2))).toMatchObject({ code: 'stale_fence' });
    expect(refusalOf(begin[name](withParent(idle)))).toEqual({});
  });

  it('holds nobody who left, and leaves no trace', () => {
    const decided = withParent((workgroup) =>
      workgroup.give(decideEvict, { tenantId: TENANT, lineageId: 'parent', reason: 'INCOMPATIBLE' }),
    );
    const outcome = begin[name](decided, 2);
    const details = { lineageId: 'parent', status: 'evicted', reason: 'INCOMPATIBLE' };
    expect(refusalOf(outcome)).toEqual({ code: 'stale_fence', details });
    expect(outcome.events).toEqual([]);
  });
});

it('the fence of no parent fits nowhere', () => {
  const command = registerCommand('child', { parentFence: 2 });
  const outcome = withParent(() => undefined).act(decideRegister, command);
  expect(refusalOf(outcome)).toMatchObject({ code: 'validation_error', details: { field: 'parentFence' } });
});

describe('the parent’s fence, to delegate', () => {
  const workgroup = workgroupOf(lineageCalled('one', { status: 'held', fence: 7 }));
  const delegated = (command: object) =>
    decideDelegation(workgroup, delegation({ ...READER, ...command }), NOW);

  it.each([
    [6, 'stale_fence'],
    [7, undefined],
    [8, 'stale_fence'],
    [undefined, undefined],
  ])('holds where it is given: %p', (parentFence, code) => {
    const decision = delegated({ parentLineageId: 'one', ...(parentFence && { parentFence }) });
    expect('refusal' in decision ? decision.refusal.code : undefined).toBe(code);
    expect(decision.events).toHaveLength(code ? 0 : 1);
  });

  it('is one of a parent', () => {
    const decision = delegated({ parentFence: 7 });
    expect(decision).toMatchObject({
      refusal: { code: 'validation_error', details: { field: 'parentFence' } },
    });
  });
});
