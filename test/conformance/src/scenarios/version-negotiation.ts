// Host specification §1.2, §3.3, §3.6: version fields of discovery, snapshot and events, and that they agree.
import { isText, isWhole } from '../client/expectations.js';
import { runToEnd } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

export const scenario: Scenario = {
  name: 'version-negotiation',
  needs: fixtures('conformance-noop'),
  tests(host) {
    it('speaks major version 1 under /v1', async () => {
      const { protocolVersion } = await host.discovery();
      expect(protocolVersion).toMatch(/^1\./);
    });

    it('types every version field', async () => {
      const discovery = await host.discovery();
      const { snapshot, events } = await runToEnd(host, 'conformance-noop');
      expect(wrong(discovery['engineVersion'], (value) => isWhole(value, 0))).toBeUndefined();
      expect(wrong(discovery['eventLogSchemaVersion'], (value) => isWhole(value, 0))).toBeUndefined();
      expect(wrong(snapshot.engineVersion, isText)).toBeUndefined();
      expect(wrong(snapshot.eventLogSchemaVersion, (value) => isWhole(value, 0))).toBeUndefined();
      for (const event of events) {
        expect(wrong(event.schemaVersion, (value) => isWhole(value, 0))).toBeUndefined();
        expect(wrong(event.engineVersion, isText)).toBeUndefined();
      }
    });

    it('says the same on the discovery document, the snapshot and the log', async () => {
      const { engineVersion, eventLogSchemaVersion } = await host.discovery();
      const { snapshot, events } = await runToEnd(host, 'conformance-noop');
      const engines = [
        engineVersion,
        snapshot.engineVersion,
        ...events.map((event) => event.engineVersion as unknown),
      ];
      expect(distinct(engines).length).toBeLessThanOrEqual(1);
      expect(distinct([eventLogSchemaVersion, snapshot.eventLogSchemaVersion]).length).toBeLessThanOrEqual(1);
    });
  },
};

/** The value where it is there and not right. */
function wrong(value: unknown, isRight: (value: unknown) => boolean): unknown {
  return value === undefined || isRight(value) ? undefined : { value };
}

function distinct(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.filter((value) => value !== undefined).map(String))];
}
