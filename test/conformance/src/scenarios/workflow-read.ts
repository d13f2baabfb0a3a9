// Host specification §10.1, §1.6: a workflow is read, and every listed fixture is one.
import { expectUnknown, isObject, isText } from '../client/expectations.js';
import { fixtures, type Scenario } from '../scenario.js';

const REQUIRED = ['id', 'name', 'version', 'nodes', 'edges', 'triggers', 'variables', 'metadata', 'settings'];

export const scenario: Scenario = {
  name: 'workflow-read',
  needs: fixtures('conformance-noop'),
  tests(host) {
    it('has every fixture that discovery lists, as a whole definition', async () => {
      const listed = (await host.discovery()).fixtures ?? [];
      expect(listed.length).toBeGreaterThan(0);
      for (const fixture of listed) {
        const { status, json } = await host.get(`/v1/workflows/${encodeURIComponent(fixture)}`);
        expect([fixture, status]).toEqual([fixture, 200]);
        expect(json.id).toBe(fixture);
        expect(Object.keys(json)).toEqual(expect.arrayContaining(REQUIRED));
        expect(json.nodes.length).toBeGreaterThan(0);
        for (const node of json.nodes) {
          expect(isText(node.id) && isText(node.name) && isObject(node.config)).toBe(true);
          expect(node.typeId).toMatch(/^[a-z][a-zA-Z0-9._-]*$/);
        }
      }
    });

    it('has the noop fixture as described', async () => {
      const { json } = await host.get('/v1/workflows/conformance-noop');
      expect(json.nodes).toHaveLength(1);
      expect(json.nodes[0]).toMatchObject({ id: 'noop', typeId: 'core.noop' });
    });

    it('knows no other', async () => {
      expectUnknown(await host.get('/v1/workflows/no-such-workflow'));
      expectUnknown(await host.get('/v1/workflows/No%20Such%2FWorkflow'));
    });
  },
};
