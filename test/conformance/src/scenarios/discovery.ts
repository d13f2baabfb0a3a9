// Host specification §1.1, §1.2, §1.6.
import { expectRefusal, isObject, isText, isWhole } from '../client/expectations.js';
import type { Host, Json } from '../client/host.js';
import type { Scenario } from '../scenario.js';

const PATH = '/.well-known/openwop';

/** The only members of `limits`, and the least that each may be. */
const REQUIRED_LIMITS = { clarificationRounds: 0, schemaRounds: 0, envelopesPerTurn: 0 };
const OPTIONAL_LIMITS = {
  maxNodeExecutions: 1,
  maxRunDurationMs: 1000,
  maxLoopIterations: 1,
  maxBudgetTokens: 0,
  maxBudgetCostUsd: 0,
  maxRequestBodyBytes: 1,
};

export const scenario: Scenario = {
  name: 'discovery',
  tests(host) {
    it('is public, JSON and cacheable', async () => {
      const answer = await host.get(PATH, { bare: true });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
      expect(isObject(answer.json)).toBe(true);
      expect(answer.headers.get('cache-control')).toBeTruthy();
    });

    it('has the four required members, each of its type', async () => {
      const document = await read(host);
      expect(isText(document.protocolVersion)).toBe(true);
      expect(Array.isArray(document.supportedEnvelopes)).toBe(true);
      const envelopes: readonly unknown[] = document.supportedEnvelopes;
      expect(envelopes.filter((kind) => !isText(kind))).toEqual([]);
      expect(isObject(document.schemaVersions)).toBe(true);
      expect(Object.values(document.schemaVersions).filter((version) => !isWhole(version, 0))).toEqual([]);
      expect(isObject(document.limits)).toBe(true);
    });

    it('states its limits as whole numbers in a closed object', async () => {
      const { limits } = await read(host);
      const least: Readonly<Record<string, number>> = { ...REQUIRED_LIMITS, ...OPTIONAL_LIMITS };
      expect(Object.keys(limits)).toEqual(expect.arrayContaining(Object.keys(REQUIRED_LIMITS)));
      expect(Object.keys(limits).filter((name) => !(name in least))).toEqual([]);
      expect(Object.entries(limits).filter(([name, value]) => !isWhole(value, least[name] ?? 0))).toEqual([]);
    });

    it('keeps the optional members to their shapes', async () => {
      const document = await read(host);
      expect(Object.keys(document.implementation ?? {}).sort()).toEqual(
        Object.keys(document.implementation ?? {})
          .filter((key) => ['name', 'vendor', 'version'].includes(key))
          .sort(),
      );
      const transports: readonly string[] = document.supportedTransports ?? ['rest'];
      expect(transports).toContain('rest');
      expect(transports.filter((name) => !['rest', 'mcp', 'a2a', 'grpc'].includes(name))).toEqual([]);
      const fixtures: readonly unknown[] = document.fixtures ?? [];
      expect(fixtures.filter((fixture) => !isText(fixture))).toEqual([]);
      expect(new Set(fixtures).size).toBe(fixtures.length);
    });

    it('names the clarification envelope where it can clarify', async () => {
      const document = await read(host);
      const listed: readonly string[] = document.fixtures ?? [];
      const envelopes: readonly string[] = document.supportedEnvelopes;
      const clarifies = listed.includes('conformance-clarification');
      expect(clarifies && !envelopes.includes('clarification.request')).toBe(false);
    });

    it('does not change from one read to the next', async () => {
      const [first, second] = [await host.get(PATH, { bare: true }), await host.get(PATH, { bare: true })];
      expect(second.json).toEqual(first.json);
      const tag = first.headers.get('capabilities-etag');
      expect(tag).not.toBe('');
      expect(second.headers.get('capabilities-etag')).toBe(tag);
    });

    it('answers 304 to the ETag that it sent', async () => {
      const { headers } = await host.get(PATH, { bare: true });
      const etag = headers.get('etag');
      const again = await host.get(PATH, { bare: true, headers: { 'if-none-match': etag ?? '"none"' } });
      const expected = etag === null ? [200, true] : [304, false];
      expect([again.status, again.text !== '']).toEqual(expected);
      const other = await host.get(PATH, { bare: true, headers: { 'if-none-match': '"another"' } });
      expect(other.status).toBe(200);
    });

    it('publishes an OpenAPI document of 3.1 or later', async () => {
      const answer = await host.get('/v1/openapi.json', { bare: true });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/\bjson\b/);
      expect(answer.json.openapi).toMatch(/^3\.[1-9]/);
      expect(isObject(answer.json.paths)).toBe(true);
    });

    it('keeps the document under its one path', async () => {
      expectRefusal(await host.get(`${PATH}/nothing`), [400, 404]);
    });
  },
};

async function read(host: Host): Promise<Json> {
  return (await host.get(PATH, { bare: true })).json;
}
