import type { RunEvent } from '@palimpsest/client';
import { describeFailure } from '../../program/describe-failure.js';
import { openDemoModel } from './demo-model.js';
import { LoopFailedError } from './loop-failed-error.js';
import { LoopProgress } from './loop-progress.js';

const model = { baseUrl: 'http://127.0.0.1:9/v1' };
const failed = (error: object): LoopProgress => {
  const progress = new LoopProgress();
  progress.see({ type: 'run.failed', payload: { error } } as unknown as RunEvent);
  return progress;
};
const linesOf = ({ failure }: LoopProgress): unknown =>
  failure && describeFailure(new LoopFailedError(failure, { model, turn: 3 }));

describe('a loop whose run failed', () => {
  it('names what was asked, the code and how it was away, and ends with 1', () => {
    const error = { code: 'service_unavailable', message: 'away', details: { outage: 'connection' } };
    expect(linesOf(failed(error))).toEqual({
      lines: [
        'palimpsest: turn 3: the model does not answer, outage: connection; asked at http://127.0.0.1:9/v1 (service_unavailable)',
        expect.stringMatching(/PALIMPSEST_MODEL_BASE_URL/),
      ],
      exitCode: 1,
    });
  });

  it('names the code of what is no outage', () => {
    expect(linesOf(failed({ code: 'envelope_refusal', message: 'no' }))).toMatchObject({
      lines: [
        expect.stringMatching(/^palimpsest: turn 3: the run failed; .*\(envelope_refusal\)$/),
        expect.any(String),
      ],
    });
  });
});

describe('the model of the demo', () => {
  it('is told without credentials', async () => {
    const named = await openDemoModel(
      {
        PALIMPSEST_MODEL_PROVIDER: 'openai-compatible',
        PALIMPSEST_MODEL_NAME: 'm-1',
        PALIMPSEST_MODEL_BASE_URL: 'http://somebody:hidden@127.0.0.1:9/v1?token=hidden',
      },
      [],
    );
    expect(named).toMatchObject({ baseUrl: 'http://127.0.0.1:9/v1', name: expect.stringContaining('m-1') });
    expect(named.name).not.toContain('hidden');
  });

  it('is not the bundled one where half of another is named', () => {
    expect(() => openDemoModel({ PALIMPSEST_MODEL_NAME: 'm-1' }, [])).toThrow('PALIMPSEST_MODEL_PROVIDER');
  });
});
