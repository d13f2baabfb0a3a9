import type { Command } from 'commander';
import { addConnection } from '../program/connection-options.js';
import { perform } from '../program/perform.js';
import type { CommonOptions } from '../program/session.js';
import type { AddPinOptions } from './add-pin.js';

const PIN_HELP = `
A pin is a text, or what an event of the run says, that every window from then on feeds
verbatim. It counts within the budget.

Examples:
  palimpsest pin add run_abc 'Answer in French.'
  palimpsest pin add run_abc --event evt-run_abc-4
  palimpsest pin list run_abc
  palimpsest pin remove run_abc pin_def`;

/** `palimpsest pin …` */
export function addPinCommand(program: Command): void {
  const pin = program
    .command('pin')
    .summary('feed a text in every window of a run')
    .description('Add, list and remove texts that every window of a run feeds verbatim.')
    .addHelpText('after', PIN_HELP);
  addAdd(pin);
  addList(pin);
  addRemove(pin);
}

function addAdd(pin: Command): void {
  const command = pin
    .command('add')
    .description('Pin a text, or with --event what an event says.')
    .argument('<run>', 'id of the run')
    .argument('[text]', 'what every window is to say')
    .option('--event <id>', 'an event of the run: a message, or of a loop a turn');
  addConnection(command).action((runId: string, text: string | undefined, options: AddPinOptions) =>
    perform(async () => (await import('./add-pin.js')).addPin, { runId, text }, options),
  );
}

function addList(pin: Command): void {
  const command = pin
    .command('list')
    .description('List what is pinned, oldest first.')
    .argument('<run>', 'id of the run');
  addConnection(command).action((runId: string, options: CommonOptions) =>
    perform(async () => (await import('./list-pins.js')).listPins, runId, options),
  );
}

function addRemove(pin: Command): void {
  const command = pin
    .command('remove')
    .description('Remove a pin; windows that were taken keep it.')
    .argument('<run>', 'id of the run')
    .argument('<pin>', 'id of the pin');
  addConnection(command).action((runId: string, pinId: string, options: CommonOptions) =>
    perform(async () => (await import('./remove-pin.js')).removePin, { runId, pinId }, options),
  );
}
