import type { Command } from 'commander';

const HELP = `
Operations: route, lineage, capsule, telemetry, rollout, result-policy, vault-delta,
dispatch; and promotion, which evaluates measured pairs. docs/context-efficiency.md
has an example of each.

The answer is one line: {"ok":true,"operation":…,"result":…}, or
{"ok":false,"code":…,"message":…}. Nothing is written, no network is used, no server
is needed. dist/context-runtime.mjs is the same command as a single file.

Example:
  echo '{"input":{"blocking":true}}' | palimpsest context route

Exit codes: 0 answered, 1 refused.`;

/** For help; `main.ts` runs the command itself without all this. */
export function addContextCommand(program: Command): void {
  program
    .command('context')
    .summary('decide on context: one JSON object in, one out')
    .description('Decide on context: reads one JSON object from standard input, answers with one.')
    .argument('[operation]', 'what to decide')
    .allowExcessArguments()
    .allowUnknownOption()
    .addHelpText('after', HELP)
    .action(async (operation: string | undefined) => {
      const { runContext } = await import('./run-context.js');
      process.exitCode = await runContext(operation === undefined ? [] : [operation]);
    });
}
