import { Controller, Inject, Param } from '@nestjs/common';
import type { JsonValue } from '@palimpsest/contracts';
import { digestSchema } from '@palimpsest/contracts/registry';
import { NotFoundError } from '@palimpsest/kernel';
import { sealedCapsule } from '../domain/capsule-requests.js';
import { parseRequest } from '../domain/parse-request.js';
import { knownWorkgroupId } from '../domain/registry-paths.js';
import { pathIdSchema } from '../domain/requests.js';
import { Capsules, type RecordedCapsule } from '../handlers/capsules.js';
import { Exchange } from './exchange.decorator.js';
import { KeyedRequests } from './keyed-requests.js';
import { Operation } from './operation.decorator.js';

@Controller()
export class CapsulesController {
  constructor(
    @Inject(Capsules) private readonly capsules: Capsules,
    @Inject(KeyedRequests) private readonly keyed: KeyedRequests,
  ) {}

  @Operation('recordCapsule')
  async record(
    @Exchange() exchange: Exchange,
    @Param('workgroupId') named: string,
  ): Promise<RecordedCapsule> {
    const workgroup = { tenantId: exchange.tenantId, workgroupId: knownWorkgroupId(named) };
    const capsule = sealedCapsule(exchange.request.body, workgroup.workgroupId);
    return this.keyed.run(exchange, (attempt) => this.capsules.record(workgroup, capsule, attempt));
  }

  @Operation('readCapsule')
  async read(
    @Exchange() { tenantId }: Exchange,
    @Param('workgroupId') named: string,
    @Param('capsuleHash') hash: string,
  ): Promise<JsonValue> {
    const workgroupId = knownWorkgroupId(named);
    return this.capsules.read({ tenantId, workgroupId, capsuleHash: knownHash(hash) });
  }
}

/** A text that is no digest is answered like one that nothing has. */
function knownHash(text: string): string {
  parseRequest(pathIdSchema, text, 'capsuleHash');
  const { data } = digestSchema.safeParse(text);
  if (data === undefined) throw new NotFoundError('The capsule');
  return data;
}
