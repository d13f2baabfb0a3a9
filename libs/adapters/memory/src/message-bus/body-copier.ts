import { bodyText, encodeBody } from '@palimpsest/kernel';
import type { JsonValue } from '@palimpsest/contracts';

/** Makes of a body what a hop over the wire would: a copy without what JSON does not know, within the limit. */
export class BodyCopier {
  constructor(private readonly limitBytes: number) {}

  copy(body: JsonValue): JsonValue {
    encodeBody(body, this.limitBytes);
    return JSON.parse(bodyText(body)) as JsonValue;
  }
}
