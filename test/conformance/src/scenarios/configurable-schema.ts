// Host specification §3.1, §3.2, §10.1, §10.2 (`conformance-configurable-schema`).
import { expectRefusal } from '../client/expectations.js';
import { create, runToEnd } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

const WORKFLOW = 'conformance-configurable-schema';

const VIOLATIONS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['a key that the schema does not know', { somethingElse: 1 }],
  ['a text for a number', { recursionLimit: 'three' }],
  ['a fraction for a whole number', { recursionLimit: 1.5 }],
  ['less than the minimum', { recursionLimit: 0 }],
  ['a text for a list', { tags: 'a' }],
  ['a list of something else', { tags: [1] }],
];

export const scenario: Scenario = {
  name: 'configurable-schema',
  needs: fixtures(WORKFLOW),
  tests(host) {
    it('surfaces the schema with the workflow', async () => {
      const { status, json } = await host.get(`/v1/workflows/${WORKFLOW}`);
      expect(status).toBe(200);
      expect(json.configurableSchema).toMatchObject({
        type: 'object',
        additionalProperties: false,
        properties: {
          recursionLimit: { type: 'integer', minimum: 1 },
          tags: { type: 'array', items: { type: 'string' } },
        },
      });
    });

    it.each(VIOLATIONS)('refuses %s when the run is created', async (_, configurable) => {
      expectRefusal(await create(host, WORKFLOW, { configurable }), 400, 'validation_error');
    });

    it('takes what fits the schema, and shows it on the run', async () => {
      const configurable = { recursionLimit: 5, tags: ['a', 'b'] };
      const { snapshot } = await runToEnd(host, WORKFLOW, { configurable });
      expect(snapshot).toMatchObject({ status: 'completed', configurable });
    });

    it('takes none', async () => {
      expect((await runToEnd(host, WORKFLOW)).snapshot.status).toBe('completed');
    });
  },
};
