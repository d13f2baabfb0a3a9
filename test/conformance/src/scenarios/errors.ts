// Host specification §2.2, §2.3, §3.1: refusals of create, unknown things, unversioned roots.
import { expectRefusal, expectUnknown } from '../client/expectations.js';
import { pathOf } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

const NOOP = { workflowId: 'conformance-noop' };

const BAD_BODIES: readonly (readonly [string, string])[] = [
  ['an empty object', '{}'],
  ['what is no JSON', '{"workflowId":'],
  ['an array', '[]'],
  ['null', 'null'],
  ['a text', '"conformance-noop"'],
  ['a number for workflowId', '{"workflowId":7}'],
  ['null for workflowId', '{"workflowId":null}'],
  ['an array for inputs', JSON.stringify({ ...NOOP, inputs: [] })],
  ['a text for inputs', JSON.stringify({ ...NOOP, inputs: 'x' })],
  ['a text for configurable', JSON.stringify({ ...NOOP, configurable: 'x' })],
  ['an object for tags', JSON.stringify({ ...NOOP, tags: {} })],
  ['an empty tag', JSON.stringify({ ...NOOP, tags: [''] })],
  ['a tag of 257 characters', JSON.stringify({ ...NOOP, tags: ['t'.repeat(257)] })],
  ['101 tags', JSON.stringify({ ...NOOP, tags: Array.from({ length: 101 }, (_, place) => `t${place}`) })],
  ['an array for metadata', JSON.stringify({ ...NOOP, metadata: [] })],
];

export const scenario: Scenario = {
  name: 'errors',
  needs: fixtures('conformance-noop'),
  tests(host) {
    it.each(BAD_BODIES)('refuses to create a run from %s', async (_, rawBody) => {
      expectRefusal(await host.request('POST', '/v1/runs', { rawBody }), 400, 'validation_error');
    });

    it('refuses an unknown workflow as unknown', async () => {
      expectRefusal(await host.post('/v1/runs', { workflowId: 'no-such-workflow' }), 404, 'not_found');
    });

    it.each(['', '/events', '/events/poll', '/artifacts/nothing'])(
      'answers GET of an unknown run%s as unknown',
      async (rest) => expectUnknown(await host.get(pathOf('run-that-nobody-has', rest))),
    );

    it.each(['/cancel', '/interrupts/gate'])('answers POST to an unknown run%s as unknown', async (rest) =>
      expectRefusal(await host.post(pathOf('run-that-nobody-has', rest), { resumeValue: {} }), [404, 403]),
    );

    it.each(['/runs', '/runs/run-1', '/runs/run-1/events', '/workflows/conformance-noop', '/interrupts/x'])(
      'answers 400 under the unversioned root %s',
      async (path) => expectRefusal(await host.get(path), 400),
    );

    it('says JSON of its refusals', async () => {
      const { headers } = await host.get(pathOf('run-that-nobody-has'));
      expect(headers.get('content-type')).toMatch(/^application\/(problem\+)?json\b/);
    });
  },
};
