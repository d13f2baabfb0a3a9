import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { appendGroup } from './append/append-group.js';
import type { BenchContext, BenchGroup, Row } from './bench-group.js';
import { contextGroup } from './context/context-group.js';
import { fidelityGroup } from './fidelity/fidelity-group.js';
import { forksGroup } from './forks/forks-group.js';
import { loopGroup } from './loop/loop-group.js';
import { renderTable } from './render-table.js';
import { registryGroup } from './registry/registry-group.js';
import { runsGroup } from './runs/runs-group.js';
import { streamsGroup } from './streams/streams-group.js';
import { summariesGroup } from './summaries/summaries-group.js';
import { tokensGroup } from './tokens/tokens-group.js';
import { windowsGroup } from './windows/windows-group.js';

const GROUPS: readonly BenchGroup[] = [
  tokensGroup,
  appendGroup,
  windowsGroup,
  forksGroup,
  fidelityGroup,
  loopGroup,
  runsGroup,
  streamsGroup,
  contextGroup,
  registryGroup,
  summariesGroup,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, transcripts: { type: 'string' }, quick: { type: 'boolean' } },
});

const unknown = positionals.filter((name) => !GROUPS.some((group) => group.name === name));
if (unknown.length > 0) {
  console.error(
    `Unknown group: ${unknown.join(', ')}. There are: ${GROUPS.map(({ name }) => name).join(', ')}.\n` +
      'Usage: npm run bench -- [group…] [--quick] [--json FILE] [--transcripts DIR]',
  );
  process.exit(2);
}

const { PALIMPSEST_TRANSCRIPTS, TEST_DATABASE_URL, TEST_NATS_URL } = process.env;
const transcripts = values.transcripts ?? PALIMPSEST_TRANSCRIPTS;
const context: BenchContext = {
  ...(transcripts !== undefined && { transcripts }),
  ...(TEST_DATABASE_URL !== undefined && { databaseUrl: TEST_DATABASE_URL }),
  ...(TEST_NATS_URL !== undefined && { natsUrl: TEST_NATS_URL }),
  quick: values.quick === true,
  progress: (text) => console.error(`bench: ${text}`),
};

const rows: Row[] = [];
for (const group of GROUPS) {
  if (positionals.length > 0 && !positionals.includes(group.name)) continue;
  context.progress(group.name);
  rows.push(...(await group.run(context)));
}
console.log(renderTable(rows));
const document = JSON.stringify({ node: process.version, rows }, undefined, 2);
if (values.json === undefined) console.log(document);
else writeFileSync(values.json, `${document}\n`);
