import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { isStorableJson, type JsonValue } from '@palimpsest/contracts';
import { ValidationError } from '@palimpsest/kernel';
import { parseOptionalBody } from '../domain/parse-request.js';
import { refusePrivateContent, requireOwnedPaths } from '../domain/context-errors.js';
import { withoutHandles } from '../domain/platform-handles.js';
import type { Attempt } from '../handlers/idempotent-requests.js';
import type { Exchange } from './exchange.decorator.js';
import { KeyedRequests } from './keyed-requests.js';

/** What a retry of the same keyed request carries as well. */
export type CommandId = Pick<Attempt, 'commandId'>;

/** A POST to the registry: its body is looked through, read, and then goes under its idempotency key where it changes something. */
@Injectable()
export class RegistryRequests {
  constructor(@Inject(KeyedRequests) private readonly keyed: KeyedRequests) {}

  /** `work` answers what is kept for the key: ids and numbers, no content. @throws PrivateContentError, ValidationError */
  async run<Schema extends z.ZodType, Kept extends object>(
    exchange: Exchange,
    schema: Schema,
    work: (body: z.output<Schema>, command: CommandId) => Promise<Kept>,
  ): Promise<Kept> {
    const body = this.read(exchange, schema);
    return this.keyed.run(exchange, ({ commandId }) =>
      work(body, commandId === undefined ? {} : { commandId }),
    );
  }

  /** The body of a question, which has no key. @throws PrivateContentError, ValidationError */
  read<Schema extends z.ZodType>({ request }: Exchange, schema: Schema): z.output<Schema> {
    return readBody(schema, request.body);
  }
}

function readBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  refusePrivateContent(body);
  if (body !== undefined && !isStorableJson(body as JsonValue)) {
    throw new ValidationError('The body: must be well-formed Unicode without NUL');
  }
  const request = withoutHandles(parseOptionalBody(schema, body));
  requireOwnedPaths(request);
  return request;
}
