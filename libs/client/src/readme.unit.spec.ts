import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { frame, json, LocalServer, stopServers, stream } from './testing/local-server.js';
import { talk } from './testing/readme-example.js';

afterEach(stopServers);

describe('the README', () => {
  it('shows the example that runs here', () => {
    const read = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8');
    const shown = /```ts\n([\s\S]*?)```/.exec(read('../README.md'))?.[1];
    expect(shown).toBe(read('testing/readme-example.ts'));
  });

  it('has an example that works', async () => {
    const said: unknown[][] = [];
    const server = await LocalServer.start(
      json(201, { runId: 'run_1' }),
      json(201, {}),
      json(200, { messages: [{}], tokenCount: 9 }),
      json(200, {}),
      stream(frame(0, 'run.started'), frame(1, 'run.completed')),
      json(200, { runId: 'run_1', status: 'completed' }),
    );
    await expect(talk(server.url, 'pal_key', (...words) => void said.push([...words]))).resolves.toBe(
      'completed',
    );
    expect(said).toEqual([['send these 1 messages: 9 tokens'], [0, 'run.started'], [1, 'run.completed']]);
    expect(server.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/runs',
      'POST /v1/runs/run_1/turns',
      'POST /v1/runs/run_1/windows',
      'POST /v1/runs/run_1/finish',
      'GET /v1/runs/run_1/events',
      'GET /v1/runs/run_1',
    ]);
  });
});
