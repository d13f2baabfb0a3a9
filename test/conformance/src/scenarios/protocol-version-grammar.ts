// Host specification §1.2: two whole numbers without leading zeros, joined by a point.
import type { Scenario } from '../scenario.js';

const GRAMMAR = /^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$/;

const VERSIONS = ['0.0', '0.9', '1.0', '1.1', '1.10', '10.0', '12.345'];
const OTHERS = [
  '',
  '1',
  '1.',
  '.1',
  '1.0.0',
  '01.0',
  '1.00',
  'v1.0',
  '1.0 ',
  ' 1.0',
  '+1.0',
  '-1.0',
  '1,0',
  '1.0-rc',
];

export const scenario: Scenario = {
  name: 'protocol-version-grammar',
  tests(host) {
    it.each(VERSIONS)('takes %j for a version', (text) => expect(text).toMatch(GRAMMAR));

    it.each(OTHERS)('takes %j for none', (text) => expect(text).not.toMatch(GRAMMAR));

    it('is kept by the discovery document', async () => {
      const { protocolVersion } = await host.discovery();
      expect(protocolVersion).toEqual(expect.stringMatching(GRAMMAR));
    });
  },
};
