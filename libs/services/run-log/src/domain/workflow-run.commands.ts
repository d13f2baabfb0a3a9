import type { CancelRun, ResolveInterrupt, StartWorkflow } from '@palimpsest/contracts';
import type { PinCommand } from './pin.commands.js';

/** What may be asked of a run that the host executes. */
export type WorkflowRunCommand =
  | ({ readonly kind: 'start-workflow' } & StartWorkflow)
  | ({ readonly kind: 'resolve-interrupt' } & ResolveInterrupt)
  | ({ readonly kind: 'cancel-run' } & CancelRun)
  | PinCommand;
