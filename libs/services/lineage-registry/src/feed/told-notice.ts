import { runEventNoticeSchema, type JsonValue, type RunEventNotice } from '@palimpsest/contracts';
import { parseRequest } from '@palimpsest/kernel';

/** Of the relay's notice of a committed event, what the feed goes by. */
export type ToldNotice = Pick<RunEventNotice, 'tenantId' | 'runId' | 'eventId' | 'type' | 'sequence'>;

/** @throws ValidationError: it will never be readable, so the message goes to the dead letter */
export function toldNotice(body: JsonValue): ToldNotice {
  return parseRequest(runEventNoticeSchema, body);
}
