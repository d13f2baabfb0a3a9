import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '@palimpsest/gateway';
import { describeVariables, PROCESS_VARIABLES } from '@palimpsest/host';
import { CLIENT_TYPES, clientTypes } from '../../tools/generate-client.mjs';
import { CONFIGURATION_DOCS, configurationDocs } from '../../tools/generate-configuration-docs.mjs';

const ROOT = join(import.meta.dirname, '../..');

/** The whole difference would be thousands of lines: the first line says enough. */
function verdict(path: string, made: string): string {
  const file = join(ROOT, path);
  const committed = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const lines = made.split('\n');
  const at = lines.findIndex((line, index) => line !== committed[index]);
  if (at < 0 && committed.length === lines.length) return 'up to date';
  return `${path} is stale from line ${at < 0 ? lines.length : at + 1} on: run "npm run generate"`;
}

describe('generated files', () => {
  it('has the client’s types as the OpenAPI document gives them', async () => {
    expect(verdict(CLIENT_TYPES, await clientTypes(openApiDocument()))).toBe('up to date');
  });

  it('has docs/configuration.md as the variables give it', async () => {
    const made = await configurationDocs(PROCESS_VARIABLES, describeVariables);
    expect(verdict(CONFIGURATION_DOCS, made)).toBe('up to date');
  });
});
