// docs/configuration.md, made from the variables that the processes read.
import { formatted } from './generated-files.mjs';

export const CONFIGURATION_DOCS = 'docs/configuration.md';

const INTRODUCTION = `<!-- Generated from libs/host/src/config, do not edit: \`npm run generate\`. -->

# Configuration

Every process reads its configuration from environment variables, once, when it starts. It names all that are
missing or wrong, never their values, and does not start with them. An empty variable counts as unset.
`;

const ABOUT = {
  'all-in-one': 'All services in one process: `palimpsest start` and `apps/all-in-one`.',
  gateway: 'The HTTP API.',
  'run-log': 'Owner of the log of every run.',
  'transcript-assembler': 'Plans windows and explains them.',
  'summarizer-worker': 'Makes summaries; as many as are wanted.',
  'artifact-store': 'Keeps content: texts of messages, summaries, renderings.',
  'replay-coordinator': 'Forks runs.',
  'lineage-registry': 'Lineages of workers, their leases, rollouts and what they cost.',
  orchestrator: 'Runs workflows.',
  migrate: 'Brings the databases up to date, then ends.',
  cli: 'The command `palimpsest`. `palimpsest start` takes the variables of `all-in-one` too.',
};

/**
 * @param processes the variables of each process by its name
 * @param describe gives the rows of a process
 * @returns what the file {@link CONFIGURATION_DOCS} has to hold
 */
export async function configurationDocs(processes, describe) {
  const sections = Object.entries(processes).map(
    ([name, variables]) => `## ${name}\n\n${ABOUT[name] ?? ''}\n\n${table(describe(variables))}`,
  );
  return formatted([INTRODUCTION, ...sections].join('\n'), CONFIGURATION_DOCS);
}

function table(rows) {
  return `| Variable | What it does | Values | Default | Secret |
| --- | --- | --- | --- | --- |
${rows.map(row).join('\n')}
`;
}

function row({ name, description, values, required, defaultText, secret }) {
  const otherwise = defaultText ? `\`${defaultText}\`` : 'none';
  return `| \`${name}\` | ${description} | ${values} | ${required ? 'required' : otherwise} | ${secret} |`;
}
