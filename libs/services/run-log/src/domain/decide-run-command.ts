import type { Decision, Meeting } from './decision.js';
import { decideOwnLoop } from './decide-own-loop.js';
import { workflowStateOf } from '@palimpsest/workflow';
import { decideWorkflowRun } from './decide-workflow-run.js';
import type { OwnLoopCommand } from './own-loop.commands.js';
import type { WorkflowRunCommand } from './workflow-run.commands.js';

/** Everything that may be asked of a run. */
export type RunCommand = OwnLoopCommand | WorkflowRunCommand;

/** Pure; a command that any run takes is decided by the rules of the run it meets. @throws the refusals of these rules */
export function decideRunCommand(command: RunCommand, meeting: Meeting): Decision {
  switch (command.kind) {
    case 'create-run':
    case 'append-messages':
    case 'finish-run':
      return decideOwnLoop(command, meeting);
    case 'start-workflow':
    case 'resolve-interrupt':
      return decideWorkflowRun(command, meeting);
    case 'cancel-run':
    case 'add-pin':
    case 'remove-pin':
      return workflowStateOf(meeting.header?.state)
        ? decideWorkflowRun(command, meeting)
        : decideOwnLoop(command, meeting);
    default:
      return command satisfies never;
  }
}
