import type { ConfigurationError } from './configuration-error.js';
import {
  maxBudgetsOf,
  readAllInOneConfig,
  readArtifactStoreConfig,
  readAssemblerConfig,
  readGatewayConfig,
  readMigrateConfig,
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
});
