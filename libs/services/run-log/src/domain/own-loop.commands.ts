import type { AppendMessages, CancelRun, CreateRun, FinishRun } from '@palimpsest/contracts';
import type { PinCommand } from './pin.commands.js';

/** What may be asked of a run whose loop belongs to the caller. */
export type OwnLoopCommand =
  | ({ readonly kind: 'create-run' } & CreateRun)
  | ({ readonly kind: 'append-messages' } & AppendMessages)
  | ({ readonly kind: 'finish-run' } & FinishRun)
  | ({ readonly kind: 'cancel-run' } & CancelRun)
  | PinCommand;
