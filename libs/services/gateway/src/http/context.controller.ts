import { Controller, Inject, Param } from '@nestjs/common';
import type { ContextAnswer } from '@palimpsest/context-efficiency';
import { ContextDecisions } from '../handlers/context-decisions.js';
import { Exchange } from './exchange.decorator.js';
import { Operation } from './operation.decorator.js';

@Controller()
export class ContextController {
  constructor(@Inject(ContextDecisions) private readonly decisions: ContextDecisions) {}

  /** Without a body there is no content type either, and nothing was read: the contract's empty input. */
  @Operation('decideContext')
  decide(@Exchange() { request }: Exchange, @Param('operation') operation: string): Promise<ContextAnswer> {
    return this.decisions.answer(operation, (request.body as Uint8Array | undefined) ?? new Uint8Array());
  }
}
