import { readAllInOneConfig } from '@palimpsest/host';
import { workLines, workOf } from './start-work.js';

const KEY = 'key-of-nobody';

const linesOf = (environment: Record<string, string>, workflows: number): readonly string[] => {
  const config = readAllInOneConfig(environment);
  return workLines(workOf({ workflows }, config), config);
};

describe('what a start says of models and workflows', () => {
  it('is that there are none, and what names them', () => {
    expect(linesOf({}, 0)).toEqual([
      expect.stringMatching(/^ {2}model {7}none is asked: PALIMPSEST_MODEL_PROVIDER /),
      expect.stringMatching(/^ {2}workflows {3}none of yours: PALIMPSEST_WORKFLOWS_DIR /),
    ]);
  });

  it('is which and how many, and never the key', () => {
    const lines = linesOf(
      {
        PALIMPSEST_MODEL_PROVIDER: 'anthropic',
        PALIMPSEST_MODEL_NAME: 'm-1',
        PALIMPSEST_MODEL_API_KEY: KEY,
        PALIMPSEST_WORKFLOWS_DIR: 'flows',
      },
      2,
    );
    expect(lines).toEqual(['  model       anthropic:m-1', '  workflows   2 workflows of flows in force']);
    expect(lines.join()).not.toContain(KEY);
  });
});
