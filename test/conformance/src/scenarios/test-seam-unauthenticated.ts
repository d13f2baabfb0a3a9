// Host specification §9.1: a seam that is switched on still wants to know who calls.
import { envelopeProblems } from '../client/expectations.js';
import type { Scenario } from '../scenario.js';

const SEAMS = '/v1/host/sample';
const PATHS = [
  `${SEAMS}/test/mock-ai/program`,
  `${SEAMS}/governance/approval-gate`,
  `${SEAMS}/packs/install-gate`,
  `${SEAMS}/subrun/attest`,
  `${SEAMS}/test/reset`,
  `${SEAMS}/test/runs/__probe__/events`,
  `${SEAMS}/workflows`,
];

const CREDENTIALS = [{}, { authorization: 'Bearer key-that-nobody-was-given' }];

export const scenario: Scenario = {
  name: 'test-seam-unauthenticated',
  tests(host) {
    describe.each(PATHS)('%s', (path) => {
      it.each(['GET', 'POST'])('does nothing for a stranger (%s)', async (method) => {
        for (const headers of CREDENTIALS) {
          const body = method === 'POST' ? { body: {} } : {};
          const answer = await host.request(method, path, { bare: true, headers, ...body });
          expect([401, 403, 404, 405, 501]).toContain(answer.status);
          expect(envelopeProblems(answer.json)).toEqual([]);
        }
      });
    });
  },
};
