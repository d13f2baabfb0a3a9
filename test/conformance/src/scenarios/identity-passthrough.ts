// Host specification §3.1 (variables), §10.2 (`conformance-identity`).
import { expectRefusal } from '../client/expectations.js';
import { create, runToEnd } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

const PAYLOADS: readonly (readonly [string, object])[] = [
  ['nothing', {}],
  ['numbers', { zero: 0, negative: -7, fraction: 0.1, large: 9007199254740991 }],
  ['texts', { empty: '', lines: 'a\r\nb\tc', quotes: `"'\\`, wide: '日本語 👩‍👩‍👧 é é' }],
  ['null, truth and lists', { none: null, yes: true, no: false, list: [1, [2, [{ three: 3 }]], null] }],
  ['keys that look like code', { 'a.b': 1, '': 2, constructor: 3, ['__proto__x']: 4, $ref: '#/x' }],
];

export const scenario: Scenario = {
  name: 'identity-passthrough',
  needs: fixtures('conformance-identity'),
  tests(host) {
    it.each(PAYLOADS)('gives %s back as it was given', async (_, payload) => {
      const { snapshot } = await runToEnd(host, 'conformance-identity', { inputs: { payload } });
      expect(snapshot.status).toBe('completed');
      expect(snapshot.variables.payload).toEqual(payload);
    });

    it('asks for the input that it requires', async () => {
      expectRefusal(await create(host, 'conformance-identity'), 400, 'validation_error');
    });

    it('refuses an input of another type', async () => {
      const answer = await create(host, 'conformance-identity', { inputs: { payload: 'a text' } });
      expectRefusal(answer, 400, 'validation_error');
    });
  },
};
