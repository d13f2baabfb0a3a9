import { CliError, EXIT } from '../../program/cli-error.js';
import type { DemoModel } from './demo-model.js';
import type { LoopFailure } from './loop-progress.js';

type Where = { readonly model: Pick<DemoModel, 'baseUrl'>; readonly turn: number };

/** The loop's run failed, most likely for its model: which, in which turn, and how. */
export class LoopFailedError extends CliError {
  constructor({ code, outage }: LoopFailure, { model, turn }: Where) {
    const at = model.baseUrl ?? 'the address of its provider';
    const how = outage === undefined ? 'the run failed' : `the model does not answer, outage: ${outage}`;
    super(`turn ${turn}: ${how}; asked at ${at}`, {
      code,
      exitCode: EXIT.negative,
      hint: 'Are PALIMPSEST_MODEL_BASE_URL, _NAME and _API_KEY right, and does the provider run? See docs/models.md.',
    });
  }
}
