import { generateKeyPairSync } from 'node:crypto';
import type { ConfigurationError } from './configuration-error.js';
import {
  gatewayLimitsOf,
  maxBudgetsOf,
  readAllInOneConfig,
  readArtifactStoreConfig,
  readAssemblerConfig,
  readGatewayConfig,
  readMigrateConfig,
  readOrchestratorConfig,
  readRegistryConfig,
  readReplayConfig,
  readRunLogConfig,
  readSummarizerConfig,
} from './app-configs.js';

const environment = {
  DATABASE_URL: 'postgres://u:p4ss@db/palimpsest',
  NATS_URL: 'nats://bus:4222',
  PALIMPSEST_ARTIFACT_STORE_URL: 'http://artifact-store:8090',
  PALIMPSEST_SERVICE_TOKEN: 't'.repeat(40),
  PALIMPSEST_ARTIFACT_KEY: 'k'.repeat(40),
};

const PUBLIC_KEY = String(generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }));

function messageOf(read: () => unknown): string {
  try {
    read();
    return 'nothing is wrong';
  } catch (error) {
    return (error as ConfigurationError).message;
  }
}

function variablesMissing(read: (env: Record<string, string>) => unknown): string[] {
  try {
    read({});
    return [];
  } catch (error) {
    return (error as ConfigurationError).problems.map(({ variable }) => variable);
  }
}

describe('the configuration of each process', () => {
  it.each([
    readRunLogConfig,
    readAssemblerConfig,
    readSummarizerConfig,
    readReplayConfig,
    readRegistryConfig,
    readOrchestratorConfig,
    readArtifactStoreConfig,
    readMigrateConfig,
    readGatewayConfig,
    readAllInOneConfig,
  ])('can be read from one environment: %p', (read) => {
    expect(read(environment)).toMatchObject({ logLevel: 'info' });
  });

  it('asks for what the process needs', () => {
    expect(variablesMissing(readRunLogConfig)).toEqual(['DATABASE_URL', 'NATS_URL']);
    expect(variablesMissing(readGatewayConfig).sort()).toEqual(
      ['DATABASE_URL', 'NATS_URL', 'PALIMPSEST_ARTIFACT_STORE_URL', 'PALIMPSEST_SERVICE_TOKEN'].sort(),
    );
    expect(variablesMissing(readAllInOneConfig)).toEqual([]);
  });

  it('gives the gateway its limits', () => {
    expect(gatewayLimitsOf(readAllInOneConfig({}))).toEqual({
      rateLimits: {
        keyPerSecond: 600,
        tenantPerSecond: 1200,
        globalPerSecond: 5000,
        anonymousPerSecond: 200,
      },
      maxEventStreams: 2000,
      engineLimits: { maxNodeExecutions: 1000, maxRunDurationMs: 3_600_000, maxLoopIterations: 50 },
      claims: { hostId: 'palimpsest', modelTurns: false, contextBudget: false },
    });
    const set = readGatewayConfig({
      ...environment,
      PALIMPSEST_RATE_LIMIT_KEY_PER_SECOND: '1',
      PALIMPSEST_RATE_LIMIT_TENANT_PER_SECOND: '2',
      PALIMPSEST_RATE_LIMIT_GLOBAL_PER_SECOND: '3',
      PALIMPSEST_RATE_LIMIT_ANONYMOUS_PER_SECOND: '0',
      PALIMPSEST_MAX_EVENT_STREAMS: '4',
      PALIMPSEST_MAX_NODE_EXECUTIONS: '5',
      PALIMPSEST_MAX_RUN_DURATION_MS: '6000',
      PALIMPSEST_MAX_LOOP_ITERATIONS: '7',
      PALIMPSEST_HOST_ID: 'eu-1.example',
      PALIMPSEST_MODEL_PROVIDER: 'anthropic',
      PALIMPSEST_ADVERTISE_CONTEXT_BUDGET: 'true',
    });
    expect(gatewayLimitsOf(set)).toEqual({
      rateLimits: { keyPerSecond: 1, tenantPerSecond: 2, globalPerSecond: 3, anonymousPerSecond: 0 },
      maxEventStreams: 4,
      engineLimits: { maxNodeExecutions: 5, maxRunDurationMs: 6000, maxLoopIterations: 7 },
      claims: { hostId: 'eu-1.example', modelTurns: true, contextBudget: true },
    });
    expect(() => readAllInOneConfig({ PALIMPSEST_MAX_RUN_DURATION_MS: '999' })).toThrow(
      'PALIMPSEST_MAX_RUN_DURATION_MS',
    );
  });

  it('seeds fixtures where everything runs in one process, and elsewhere when told to', () => {
    expect(readAllInOneConfig({})).toMatchObject({ conformanceFixtures: true, orchestratorConcurrency: 16 });
    const split = (text: string) =>
      readOrchestratorConfig({ ...environment, PALIMPSEST_CONFORMANCE_FIXTURES: text });
    expect(split('')).toMatchObject({ conformanceFixtures: false });
    expect(split('true')).toMatchObject({ conformanceFixtures: true });
    expect(() => split('yes')).toThrow('PALIMPSEST_CONFORMANCE_FIXTURES');
  });

  it('gives the registry its environment, its sweep and the keys that it trusts', () => {
    const keys = JSON.stringify({ 'measurement-key-lab.1': PUBLIC_KEY });
    for (const read of [
      (more: Record<string, string>) => readRegistryConfig({ ...environment, ...more }),
      readAllInOneConfig,
    ]) {
      expect(read({})).toMatchObject({
        environment: 'default',
        leaseSweepMs: 5000,
        trustedMeasurementKeys: undefined,
      });
      const set = {
        PALIMPSEST_ENVIRONMENT: 'eu-1.staging',
        PALIMPSEST_LEASE_SWEEP_MS: '100',
        KNOWZCODE_TRUSTED_MEASUREMENT_KEYS: keys,
      };
      expect(read(set)).toMatchObject({
        environment: 'eu-1.staging',
        leaseSweepMs: 100,
        trustedMeasurementKeys: keys,
      });
      for (const wrong of ['a b', '-a', 'a/b', 'x'.repeat(129)])
        expect(() => read({ PALIMPSEST_ENVIRONMENT: wrong })).toThrow('PALIMPSEST_ENVIRONMENT');
      expect(read({ PALIMPSEST_ENVIRONMENT: 'x'.repeat(128) }).environment).toHaveLength(128);
      expect(() => read({ PALIMPSEST_LEASE_SWEEP_MS: '99' })).toThrow('PALIMPSEST_LEASE_SWEEP_MS');
    }
  });

  it('starts with no trusted keys that are none', () => {
    const read = (text: string) =>
      readGatewayConfig({ ...environment, KNOWZCODE_TRUSTED_MEASUREMENT_KEYS: text }).trustedMeasurementKeys;
    const of = (id: string, key: unknown = PUBLIC_KEY) => JSON.stringify({ [id]: key });
    const lab = of('measurement-key-lab.1');
    const longest = `measurement-key-${'a'.repeat(64)}`;
    for (const text of [
      lab,
      '{}',
      of(longest),
      of('measurement-key-a', PUBLIC_KEY.trimEnd()),
      lab.padEnd(65_536),
    ])
      expect(read(text)).toBe(text);
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
    const wrong: readonly (readonly [string, string])[] = [
      [lab.padEnd(65_537), 'more than 65536 characters'],
      [PUBLIC_KEY, 'must be a JSON object'],
      ['[]', 'must be a JSON object'],
      ['null', 'must be a JSON object'],
      [of('lab-1'), 'a key id, number 1,'],
      [of(`${longest}a`), 'a key id, number 1,'],
      [JSON.stringify({ 'measurement-key-a': PUBLIC_KEY, MARK: PUBLIC_KEY }), 'a key id, number 2,'],
      [of('measurement-key-a', 'MARK'), 'under measurement-key-a'],
      [of('measurement-key-a', 5), 'under measurement-key-a'],
      [of('measurement-key-a', `${PUBLIC_KEY}\n`), 'under measurement-key-a'],
      [of('measurement-key-a', PUBLIC_KEY.replaceAll('PUBLIC', 'PRIVATE')), 'under measurement-key-a'],
      [of('measurement-key-a', rsa.export({ type: 'spki', format: 'pem' })), 'under measurement-key-a'],
    ];
    for (const [text, problem] of wrong) {
      const told = messageOf(() => read(text));
      expect(told).toContain('KNOWZCODE_TRUSTED_MEASUREMENT_KEYS');
      expect(told).toContain(problem);
      expect(told).not.toContain('MARK');
    }
  });

  it('knows proxies by address or network', () => {
    const proxies = (text: string) => readAllInOneConfig({ PALIMPSEST_TRUSTED_PROXIES: text }).trustedProxies;
    expect(readAllInOneConfig({}).trustedProxies).toEqual([]);
    expect(proxies('10.0.0.0/8, ::1')).toEqual(['10.0.0.0/8', '::1']);
    for (const wrong of [
      '10.0.0.0/33',
      'proxy',
      'true',
      '10.0.0.1,',
      '::1/129',
      '10.0.0.0/8/8',
      '10.0.0.0/',
    ]) {
      expect(() => proxies(wrong)).toThrow('PALIMPSEST_TRUSTED_PROXIES');
    }
  });

  it('takes no budget without its unit, and none above the maximum', () => {
    expect(() => readAllInOneConfig({ PALIMPSEST_DEFAULT_BUDGET: '500' })).toThrow(
      'PALIMPSEST_DEFAULT_COUNTER',
    );
    const unit = { PALIMPSEST_DEFAULT_COUNTER: 'chars' };
    expect(readAllInOneConfig({ ...unit, PALIMPSEST_DEFAULT_BUDGET: '500' })).toMatchObject({
      defaultBudget: 500,
    });
    const above = { ...unit, PALIMPSEST_DEFAULT_BUDGET: '500', PALIMPSEST_MAX_BUDGET_CHARS: '499' };
    expect(() => readAllInOneConfig(above)).toThrow('PALIMPSEST_DEFAULT_BUDGET');
    expect(maxBudgetsOf(readAllInOneConfig({ PALIMPSEST_MAX_BUDGET_CHARS: '70000' })).chars).toBe(70_000);
  });

  it('claims no context budget without a model provider, or without the unit', () => {
    const claim = { PALIMPSEST_ADVERTISE_CONTEXT_BUDGET: 'true' };
    const gateway = (more: Record<string, string>) => () =>
      readGatewayConfig({ ...environment, ...claim, ...more });
    expect(gateway({})).toThrow('PALIMPSEST_MODEL_PROVIDER');
    expect(() => readAllInOneConfig(claim)).toThrow('PALIMPSEST_MODEL_PROVIDER');
    const provider = { PALIMPSEST_MODEL_PROVIDER: 'openai-compatible' };
    expect(gateway(provider)).not.toThrow();
    expect(gateway({ ...provider, PALIMPSEST_DEFAULT_BUDGET: '500' })).toThrow('PALIMPSEST_DEFAULT_COUNTER');
  });

  it('asks for a provider where a model is named, but not of the gateway, which takes the provider alone', () => {
    const named = { ...environment, PALIMPSEST_MODEL_NAME: 'm-1' };
    for (const read of [readAllInOneConfig, readOrchestratorConfig, readSummarizerConfig])
      expect(() => read(named)).toThrow('PALIMPSEST_MODEL_PROVIDER: is required');
    expect(readGatewayConfig(named)).toMatchObject({ modelProvider: undefined });
  });

  it.each(['a b', '-a', 'x'.repeat(129), 'h/1'])('takes no host id like "%s"', (id) => {
    expect(() => readAllInOneConfig({ PALIMPSEST_HOST_ID: id })).toThrow('PALIMPSEST_HOST_ID');
  });
});
