import type { AppendMessages, CancelRun, CreateRun, FinishRun, ReplayFlags } from '@palimpsest/contracts';
import type { PinCommand } from './pin.commands.js';

/** What may be asked of a run whose loop belongs to the caller. */
export type OwnLoopCommand =
  /** `replayFlags`: how the run will be derived; the host says so, not the caller. */
  | ({ readonly kind: 'create-run'; readonly replayFlags?: ReplayFlags } & CreateRun)
  | ({ readonly kind: 'append-messages' } & AppendMessages)
  | ({ readonly kind: 'finish-run' } & FinishRun)
  | ({ readonly kind: 'cancel-run' } & CancelRun)
  | PinCommand;
