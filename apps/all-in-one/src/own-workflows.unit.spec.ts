import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countOwnWorkflows, definitionFailure } from './own-workflows.js';

const SECRET = 'a zebra in the engine room';

describe('the workflows of a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-workflows-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const definition = (id: string): string =>
    JSON.stringify({
      ...{ id, name: id, version: '1', edges: [], triggers: [], variables: [], metadata: {}, settings: {} },
      nodes: [
        {
          ...{
            id: 'a',
            typeId: 'core.identity',
            name: 'A',
            position: { x: 0, y: 0 },
            config: {},
            inputs: {},
          },
        },
      ],
    });
  const refusal = (workflowsDirectory: string): Promise<unknown> =>
    countOwnWorkflows({ workflowsDirectory }).catch((error: unknown) => error);

  it('are counted, and none where no folder is named', async () => {
    await expect(countOwnWorkflows({ workflowsDirectory: undefined })).resolves.toBe(0);
    write('one.json', definition('one'));
    write('two.json', definition('two'));
    write('notes.txt', SECRET);
    await expect(countOwnWorkflows({ workflowsDirectory: folder })).resolves.toBe(2);
  });

  it('that cannot be read are a fault of the variable', async () => {
    const absent = join(folder, 'absent');
    expect(await refusal(absent)).toMatchObject({
      name: 'ConfigurationError',
      problems: [{ variable: 'PALIMPSEST_WORKFLOWS_DIR', problem: `the folder ${absent} cannot be read` }],
    });
  });

  it.each([
    ['is no JSON', `{"id": "${SECRET}`],
    ['is no definition', `{"id": "one"}`],
  ])('one of which %s are, too, and the file is named without its content', async (_, text) => {
    write('good.json', definition('good'));
    write('broken.json', text);
    const error = await refusal(folder);
    expect(error).toMatchObject({
      name: 'ConfigurationError',
      problems: [
        {
          variable: 'PALIMPSEST_WORKFLOWS_DIR',
          problem: expect.stringContaining(`in the folder ${folder}: The workflow definition broken.json`),
        },
      ],
    });
    expect(String(error)).not.toContain(SECRET);
  });

  it('have no part in other failures', () => {
    const other = new TypeError('odd');
    expect(definitionFailure(other, { workflowsDirectory: folder })).toBe(other);
  });
});
