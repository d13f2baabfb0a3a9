import type { JsonObject } from '@palimpsest/contracts';
import type { HeaderChange } from '@palimpsest/kernel';
import type { Decision, Meeting } from './decision.js';
import type { OwnLoopCommand } from './own-loop.commands.js';
import { ownLoopDecider } from './own-loop.decider.js';
import { runOf, type OwnLoopRun } from './own-loop.state.js';

/** What a command on a run whose loop belongs to the caller records. */
export function decideOwnLoop(asked: OwnLoopCommand, { header, replayFlags }: Meeting): Decision {
  const command = asked.kind === 'create-run' ? { ...asked, replayFlags } : asked;
  const run = runOf(header);
  const placed = ownLoopDecider.decide(command, run);
  const after = placed.reduce<OwnLoopRun>((before, event) => ownLoopDecider.evolve(before, event), run);
  return { events: placed.map(({ sequence: _, ...event }) => event), header: headerOf(after) };
}

function headerOf(run: OwnLoopRun): HeaderChange {
  switch (run.status) {
    case 'active':
      return { status: 'running', state: run.loop as unknown as JsonObject };
    case 'closed':
      return { status: run.runStatus };
    case 'absent':
      return {};
    default:
      return run satisfies never;
  }
}
