import { startHealthListener, type HealthListener } from './health-listener.js';
import { createReadiness } from './readiness.js';

describe('readiness', () => {
  it('says which check fails: false, thrown, or late', async () => {
    const readiness = createReadiness(
      {
        good: () => true,
        no: () => false,
        broken: () => {
          throw new TypeError('x');
        },
        rejected: () => Promise.reject(new TypeError('x')),
        late: () => new Promise<boolean>(() => undefined),
      },
      5,
    );
    expect(await readiness.report()).toEqual({
      ready: false,
      checks: { good: 'ok', no: 'failing', broken: 'failing', rejected: 'failing', late: 'failing' },
    });
  });

  it('is over when the process goes', async () => {
    const readiness = createReadiness({ good: () => true });
    expect(await readiness.report()).toMatchObject({ ready: true });
    readiness.drain();
    expect(await readiness.report()).toMatchObject({ ready: false });
  });
});

describe('the health listener', () => {
  let listener: HealthListener;
  let works = true;
  beforeAll(async () => {
    const readiness = createReadiness({ database: () => works });
    listener = await startHealthListener({ host: '127.0.0.1', port: 0, readiness });
  });
  afterAll(() => listener.close());

  const ask = async (path: string, method = 'GET') => {
    const response = await fetch(`http://127.0.0.1:${listener.port}${path}`, { method });
    return { status: response.status, body: await response.json() };
  };

  it('answers for the process, and for its work', async () => {
    expect(await ask('/healthz')).toEqual({ status: 200, body: { status: 'ok' } });
    expect(await ask('/readyz?x=1')).toEqual({
      status: 200,
      body: { status: 'ready', checks: { database: 'ok' } },
    });
    works = false;
    expect(await ask('/readyz')).toEqual({
      status: 503,
      body: { status: 'not-ready', checks: { database: 'failing' } },
    });
    expect(await ask('/healthz')).toMatchObject({ status: 200 });
  });

  it('serves nothing else', async () => {
    expect(await ask('/metrics')).toMatchObject({ status: 404, body: { error: 'not_found' } });
    expect(await ask('/healthz', 'POST')).toMatchObject({
      status: 405,
      body: { error: 'method_not_allowed' },
    });
  });
});
