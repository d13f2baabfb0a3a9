import { Inject, Injectable } from '@nestjs/common';
import {
  answerStream,
  OPERATION_NAMES,
  textWorkspace,
  type ContextAnswer,
} from '@palimpsest/context-efficiency';
import { CLOCK, NotFoundError, type Clock } from '@palimpsest/kernel';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../gateway-options.js';

/** The contract's operations over HTTP: nothing is kept, and no file system is looked at. */
@Injectable()
export class ContextDecisions {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
  ) {}

  /**
   * Whatever the bytes are, the contract's own object (§1.1).
   * @throws NotFoundError where no operation has this name
   */
  async answer(operation: string, body: Uint8Array): Promise<ContextAnswer> {
    if (!OPERATION_NAMES.includes(operation)) throw new NotFoundError('The operation');
    return answerStream({
      operation,
      open: () => only(body),
      surroundings: () => ({
        clock: this.clock.now().getTime(),
        workspace: textWorkspace,
        trustedKeys: this.options.trustedMeasurementKeys,
      }),
    });
  }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
