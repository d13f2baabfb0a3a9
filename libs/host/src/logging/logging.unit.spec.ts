import { ServiceUnavailableError } from '@palimpsest/kernel';
import { createLogger } from './create-logger.js';
import { describeError } from './describe-error.js';
import { nestLogger } from './nest-logger.js';

function recorder() {
  const lines: string[] = [];
  return { lines, destination: { write: (line: string) => void lines.push(line) } };
}

describe('logs', () => {
  it('are JSON lines with the fields first given', () => {
    const { lines, destination } = recorder();
    createLogger({ service: 'gateway', destination }).info({ runId: 'run_1', count: 3 }, 'Done');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'info',
      service: 'gateway',
      runId: 'run_1',
      count: 3,
      msg: 'Done',
      time: expect.stringMatching(/Z$/),
    });
  });

  it('are lines for a person where a person looks', () => {
    const { lines, destination } = recorder();
    createLogger({ service: 'gateway', destination, pretty: true }).warn({ runId: 'run_1' }, 'Slow');
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} WARN {2}gateway Slow runId=run_1\n$/);
  });

  it('leave out what is below their level', () => {
    const { lines, destination } = recorder();
    createLogger({ service: 'x', destination, level: 'error' }).warn({}, 'Slow');
    expect(lines).toEqual([]);
  });

  it('hold nothing of a foreign error but its name, its code and its frames', () => {
    const foreign = Object.assign(new Error('invalid input: "the user said hello"'), { code: '22P02' });
    const { lines, destination } = recorder();
    const logger = createLogger({ service: 'x', destination });
    logger.error({ err: new ServiceUnavailableError('The database', { cause: foreign }) }, 'Failed');
    nestLogger(logger).error(foreign, 'Injector');
    expect(lines).toHaveLength(2);
    expect(lines.join()).not.toContain('hello');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      err: {
        code: 'service_unavailable',
        message: expect.any(String),
        cause: { name: 'Error', code: '22P02' },
      },
    });
  });

  it('say why the network failed, and survive anything thrown', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
    expect(describeError(refused)).toMatchObject({ message: refused.message });
    expect([describeError('text'), describeError(undefined), describeError(null)]).toEqual([
      { name: 'string' },
      { name: 'undefined' },
      { name: 'object' },
    ]);
    const loop = new Error('a');
    loop.cause = loop;
    expect(describeError(loop).cause?.cause?.cause).toEqual(
      expect.not.objectContaining({ cause: expect.anything() }),
    );
  });
});
