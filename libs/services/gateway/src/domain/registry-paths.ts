import { holdsPrivateValue } from '@palimpsest/context-efficiency';
import { isStorableText } from '@palimpsest/contracts';
import { lineageIdSchema, workgroupIdSchema } from '@palimpsest/contracts/registry';
import { NotFoundError, ValidationError } from '@palimpsest/kernel';
import { parseRequest } from './parse-request.js';
import { refusePrivateContent } from './context-errors.js';

/** Of a workgroup that is there already. @throws NotFoundError for what no workgroup can be called */
export function knownWorkgroupId(text: string): string {
  return knownId(text, { schema: workgroupIdSchema, field: 'workgroupId', what: 'The workgroup' });
}

/** @throws NotFoundError for what no lineage can be called */
export function knownLineageId(text: string): string {
  return knownId(text, { schema: lineageIdSchema, field: 'lineageId', what: 'The lineage' });
}

/** Of a workgroup that may be opened by this. @throws ValidationError, PrivateContentError */
export function newWorkgroupId(text: string): string {
  refusePrivateContent(text);
  return parseRequest(workgroupIdSchema, text, 'workgroupId');
}

type Named = {
  readonly schema: typeof workgroupIdSchema;
  readonly field: string;
  readonly what: string;
};

/** What is private names nothing: it could not have been taken. */
function knownId(text: string, { schema, field, what }: Named): string {
  if (!isStorableText(text)) {
    throw new ValidationError(`${field}: must be well-formed Unicode without NUL`, { field });
  }
  if (!schema.safeParse(text).success || holdsPrivateValue(text)) throw new NotFoundError(what);
  return text;
}
