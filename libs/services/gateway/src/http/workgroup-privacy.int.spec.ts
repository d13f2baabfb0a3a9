import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { MemoryArtifactStore } from '@palimpsest/adapter-memory';
import type { JsonObject, JsonValue } from '@palimpsest/contracts';
import type { Logger } from '@palimpsest/kernel';
import { gatewayMigrations } from '../store/migrations.js';
import { startGateway, type Answer, type GatewayHarness } from '../testing/gateway-harness.js';
import { WORKGROUP_REQUESTS, type WorkgroupPost } from '../testing/workgroup-requests.js';

/** Stands in every private value below. */
const MARK = 'Qz7kW3';

const CREDENTIALS: readonly string[] = [
  `sk-ant-${MARK}0123456789`,
  `pk-test_${MARK}0123456789`,
  `rk_live_${MARK}0123456789`,
  `ghp_${MARK}0123456789`,
  `github_pat_${MARK}01234567890123456789`,
  `glpat-${MARK}0123456789`,
  `npm_${MARK}01234567890123456789`,
  `xoxb-${MARK}0123456789`,
  `AKIA${MARK}0123456789`,
  `AIza${MARK}0123456789012345678901234567890123456789`,
  `Bearer ${MARK}`,
  `Authorization: Basic ${MARK}`,
  `https://user:${MARK}@host/x`,
  `jdbc:postgres://host/db?password=${MARK}`,
  `-----BEGIN RSA PRIVATE KEY-----${MARK}`,
  `-----BEGIN PRIVATE KEY-----${MARK}`,
  `eyJ${MARK}0123.eyJzdWIiOiIx.c2lnbmF0dXJl`,
  `DB_PASSWORD=${MARK}`,
  `hf_${MARK}01234567890123456789`,
  `xai-${MARK}01234567890123456789`,
  `gsk_${MARK}01234567890123456789`,
  `r8_${MARK}01234567890123456789`,
  `pplx-${MARK}01234567890123456789`,
  `SG.${MARK}01234567890123456789`,
  `dop_v1_${MARK}01234567890123456789`,
  `ya29.${MARK}01234567890123456789`,
  `${MARK}@example.org`,
];

/** What an owned path may not be either; further absolute ones the contract refuses (§4.2). */
const FOREIGN: readonly string[] = [
  `~/${MARK}/id_rsa`,
  `~${MARK}/x`,
  `~\\${MARK}`,
  `/home/${MARK}/notes`,
  `/Users/${MARK}/notes`,
  `C:\\Users\\${MARK}`,
  `d:/${MARK}`,
  `\\\\${MARK}\\share`,
  `file:///srv/${MARK}`,
  `$HOME/${MARK}`,
  `%USERPROFILE%\\${MARK}`,
];

const PRIVATE: readonly string[] = [
  ...CREDENTIALS,
  ...FOREIGN,
  `/root/${MARK}`,
  `x=/srv/${MARK}`,
  `see /data/${MARK}`,
  `x,/workspace/${MARK}`,
  `2>/app/${MARK}`,
  `-I/home/${MARK}/inc`,
  `session_${MARK}0123456789`,
  `thread id: ${MARK}0123456789`,
  `codex session ${MARK}0123`,
];

const PRIVATE_KEYS = ['api_key', 'session_id', 'raw_prompt', 'transcript', 'provider_handle'];

const IN_PATHS = [...CREDENTIALS, ...FOREIGN];

/** A folder may be called as conversations are. */
const OWNED_PATH = /\.(?:ownedFiles|owned_files)\./;

type Changed = readonly [label: string, body: JsonValue];

/** The body once for each of its strings, with that one replaced. */
function withEach(body: JsonValue, text: (place: string) => string, place = ''): readonly Changed[] {
  if (typeof body === 'string') return [[place, text(place)]];
  if (Array.isArray(body)) {
    return body.flatMap((item: JsonValue, index) =>
      withEach(item, text, `${place}.${index}`).map(([label, changed]): Changed => [
        label,
        body.map((other: JsonValue, at) => (at === index ? changed : other)),
      ]),
    );
  }
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, member]) =>
    withEach(member, text, `${place}.${key}`).map(([label, changed]): Changed => [
      label,
      { ...body, [key]: changed },
    ]),
  );
}

describe('what is private', () => {
  const lines: string[] = [];
  const note = (fields: object, message: string): void => void lines.push(JSON.stringify([fields, message]));
  const logger: Logger = { debug: note, info: note, warn: note, error: note };
  const puts: unknown[] = [];
  class WatchedStore extends MemoryArtifactStore {
    override async put(...args: Parameters<MemoryArtifactStore['put']>): Promise<readonly string[]> {
      puts.push(args);
      return super.put(...args);
    }
  }

  let database: TestDatabase;
  let gateway: GatewayHarness;
  let asked = 0;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    gateway = await startGateway(database.pool, { ports: { logger, artifacts: new WatchedStore() } });
  });
  afterAll(async () => {
    await gateway.close();
    await database.drop();
  });

  const send = (url: string, json: unknown): Promise<Answer> => {
    asked += 1;
    const headers = { 'idempotency-key': `private-${asked}` };
    return gateway.ask({ method: 'POST', url, json, headers });
  };

  async function refuses(label: string, url: string, json: unknown): Promise<void> {
    const answer = await send(url, json);
    const { error, message: _, details, ...said } = answer.body;
    expect([label, answer.status, error, said]).toEqual([label, 422, 'private_content', {}]);
    // Where the label is a place, what is told leads there, and begins with the member of the body.
    const { field, ...more } = (details ?? {}) as { readonly field?: string };
    expect(more).toEqual({});
    if (label.startsWith('.')) {
      expect(`${label}.`.startsWith(`.${field}.`)).toBe(true);
      expect(field?.split('.')[0]).toBe(label.split('.')[1]);
    }
    expect(answer.text).not.toContain(MARK);
  }

  describe.each(Object.entries(WORKGROUP_REQUESTS))('%s', (_name, { url, json }) => {
    it('is refused in every place of the body, whatever may stand there', async () => {
      let next = 0;
      const text = (place: string): string => {
        const texts = OWNED_PATH.test(place) ? IN_PATHS : PRIVATE;
        return texts[(next += 1) % texts.length] ?? '';
      };
      for (const [label, body] of withEach(json as JsonObject, text)) await refuses(label, url, body);
    });

    it('is refused as a name, known or not', async () => {
      const [text = ''] = PRIVATE;
      await refuses('a private name', url, { ...json, [text]: 1 });
      for (const key of PRIVATE_KEYS) await refuses(key, url, { ...json, [key]: 1 });
      await refuses('a nested name', url, { ...json, surprise: [{ [text]: null }] });
    });
  });

  const kinds: readonly WorkgroupPost[] = [
    'registerLineage',
    'delegate',
    'acceptKnowledge',
    'approveInWorkgroup',
  ];
  it.each(kinds)('is refused of every kind by %s', async (name) => {
    const { url, json } = WORKGROUP_REQUESTS[name];
    for (const text of PRIVATE) await refuses(text, url, { ...json, subject: `see ${text} there` });
  });

  it.each(kinds)('is refused of every kind that a path may not hold by %s', async (name) => {
    const { url, json } = WORKGROUP_REQUESTS[name];
    for (const text of CREDENTIALS) await refuses(text, url, { ...json, ownedFiles: [`src/${text}`] });
    for (const text of FOREIGN) await refuses(text, url, { ...json, ownedFiles: ['src', text] });
  });

  it.each(['/data/x', 'src/../x', 'src/a:b'])('no path that cannot be owned is told: %s', async (path) => {
    for (const name of ['registerLineage', 'delegate'] as const) {
      const { url, json } = WORKGROUP_REQUESTS[name];
      const answer = await gateway.ask({ method: 'POST', url, json: { ...json, ownedFiles: ['src', path] } });
      expect(answer).toMatchObject({
        status: 422,
        body: { error: 'context_refused', details: { contractCode: 'INVALID_OWNERSHIP_PATH' } },
      });
    }
    expect(gateway.registry.asked).toEqual([]);
  });

  it.each(['lineages', 'owned-paths'])('is refused where a page of %s goes on after it', async (list) => {
    for (const text of ['ghp_Qz7kW30123456789', 'hf_Qz7kW301234567890123456789']) {
      const url = `/v1/workgroups/wg.1/${list}?after=${text}`;
      expect(await gateway.ask({ method: 'GET', url })).toMatchObject({
        status: 422,
        body: { error: 'private_content' },
      });
    }
    expect(gateway.registry.asked).toEqual([]);
  });

  it('is refused in the text of knowledge, and in what was known before', async () => {
    const { url, json } = WORKGROUP_REQUESTS.acceptKnowledge;
    for (const text of PRIVATE) {
      await refuses(text, url, { ...json, delta: { title: 'a', content: `It is ${text}` } });
      await refuses(text, url, { ...json, previousDeltas: [{ title: text, content: 'b' }] });
    }
  });

  it('is refused where it stands in a query', async () => {
    const server = encodeURIComponent(`sk-ant-${MARK}0123456789`);
    const answer = await gateway.ask({
      method: 'GET',
      url: `/v1/workgroups/wg.1/mcp-health?server=${server}`,
    });
    expect([answer.status, answer.body['error']]).toEqual([422, 'private_content']);
    expect(answer.text).not.toContain(MARK);
  });

  it('is in no log line, no table, no store, and nothing that the registry was asked', async () => {
    expect(gateway.registry.asked).toEqual([]);
    expect(puts).toEqual([]);
    const { rows } = await database.pool.query('SELECT * FROM gateway.idempotency');
    expect(rows).toEqual([]);
    expect(asked).toBeGreaterThan(200);
    expect(lines.length).toBeGreaterThan(asked);
    expect(lines.filter((line) => line.includes(MARK))).toEqual([]);
  });
});
