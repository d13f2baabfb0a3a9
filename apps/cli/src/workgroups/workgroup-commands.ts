import type { Command } from 'commander';
import { addConnection } from '../program/connection-options.js';
import { registryName } from '../program/option-kinds.js';
import { perform } from '../program/perform.js';
import type { CommonOptions } from '../program/session.js';
import type { ShowWorkgroupOptions } from './show-workgroup.js';

const WORKGROUP_HELP = `
A workgroup has a coordinator, who alone moves its phase, and lineages: workers that are
known and may be gone on with. "held" is at work, "idle" is warm, "evicted" is gone.
Paths belong to a writer while it is held.

Examples:
  palimpsest workgroup show wg-2
  palimpsest workgroup show wg-2 --evicted --json | jq '.paths[].path'`;

/** `palimpsest workgroup …` */
export function addWorkgroupCommand(program: Command): void {
  const workgroup = program
    .command('workgroup')
    .summary('see who works on what')
    .description('Show the phase of a workgroup, its workers, and who owns which paths.')
    .addHelpText('after', WORKGROUP_HELP);
  const command = workgroup
    .command('show')
    .description('Show phase, coordinator, lineages and owned paths.')
    .argument('<workgroup>', 'id of the workgroup', registryName)
    .option('--evicted', 'also the newest lineages that are gone');
  addConnection(command).action((workgroupId: string, options: ShowWorkgroupOptions) =>
    perform(async () => (await import('./show-workgroup.js')).showWorkgroup, workgroupId, options),
  );
}

const LINEAGE_HELP = `
Of each refusal: when, its code, what the lineage was found to be, and every difference
between what is recorded and what the caller said of the present.

Example:
  palimpsest lineage show builder-7`;

/** `palimpsest lineage …` */
export function addLineageCommand(program: Command): void {
  const lineage = program
    .command('lineage')
    .summary('see whether a worker may go on, and why not')
    .description('Show a worker that is known, and why going on as it was refused.')
    .addHelpText('after', LINEAGE_HELP);
  const command = lineage
    .command('show')
    .description('Show a lineage, its lease, and the last refusals.')
    .argument('<lineage>', 'id of the lineage', registryName);
  addConnection(command).action((lineageId: string, options: CommonOptions) =>
    perform(async () => (await import('./show-lineage.js')).showLineage, lineageId, options),
  );
}
