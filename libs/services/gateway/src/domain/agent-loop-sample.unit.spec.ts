import * as fc from 'fast-check';
import { checkDefinition, modelLoopOf } from '@palimpsest/workflow';
import { agentLoopRequest, agentLoopWorkflows } from './agent-loop-sample.js';

const scriptOf = (request: object) => {
  const [worker, loop] = agentLoopWorkflows(agentLoopRequest(request));
  const supervisor = loop?.nodes.find(({ typeId }) => typeId === 'core.orchestrator.supervisor');
  return { worker, loop, decisions: supervisor?.config['mockDecisions'] };
};

describe('the sample of an execution loop', () => {
  it('hands off in every turn but the last, which ends it', () => {
    const { worker, decisions } = scriptOf({ turns: 3, suspendAtTurn: 2, resume: true });
    const handOff = { kind: 'next-worker', nextWorkerIds: [worker?.id] };
    expect(decisions).toEqual([
      handOff,
      { ...handOff, confidence: 0.25 },
      { kind: 'terminate', reason: 'goal-reached' },
    ]);
  });

  it('is a workflow of this host, which a script decides, and the same for the same script', () => {
    const requests = fc
      .integer({ min: 1, max: 50 })
      .chain((turns) =>
        fc.record(
          { turns: fc.constant(turns), suspendAtTurn: fc.integer({ min: 1, max: turns }) },
          { requiredKeys: ['turns'] },
        ),
      );
    fc.assert(
      fc.property(requests, (request) => {
        const definitions = agentLoopWorkflows(agentLoopRequest(request));
        expect(definitions.flatMap(checkDefinition)).toEqual([]);
        expect(definitions.flatMap((definition) => modelLoopOf(definition) ?? [])).toEqual([]);
        expect(agentLoopWorkflows(agentLoopRequest({ ...request, maxLoopIterations: 1 }))).toEqual(
          definitions,
        );
      }),
    );
  });

  it.each([
    [{}, 'turns'],
    [{ turns: 0 }, 'turns'],
    [{ turns: 51 }, 'turns'],
    [{ turns: '3' }, 'turns'],
    [{ turns: 3, suspendAtTurn: 4 }, 'suspendAtTurn'],
    [{ turns: 3, suspendAtTurn: 0 }, 'suspendAtTurn'],
    [{ turns: 3, maxLoopIterations: 0 }, 'maxLoopIterations'],
    [{ turns: 3, resume: 'yes' }, 'resume'],
    [{ turns: 3, workspaceWriteAtTurn: 1 }, 'workspaceWriteAtTurn'],
  ])('is not made of %j', (body, field) => {
    expect(() => agentLoopRequest(body)).toThrow(
      expect.objectContaining({ code: 'validation_error', details: { field } }) as Error,
    );
  });
});
