import { holdsPrivateValue } from '@palimpsest/context-efficiency';
import { parseRequest, PrivateContentError } from '@palimpsest/kernel';

/** Ids that hosts of ours make, and hashes: nobody's words, and chance may make them look like anything. */
const EXEMPT: readonly string[] = [
  'tenantId',
  'commandId',
  'artifactId',
  'artifactIds',
  'capsuleHash',
  'deltaHash',
  'evidenceArtifactId',
];

type Schema<Request> = Parameters<typeof parseRequest<Request>>[0];

/** A request as its schema has it. @throws ValidationError, and PrivateContentError for a value that may not be kept */
export function parsePublic<Request extends object>(schema: Schema<Request>, body: unknown): Request {
  const request = parseRequest(schema, body);
  const told = Object.entries(request).filter(([name]) => !EXEMPT.includes(name));
  if (holdsPrivateValue(Object.fromEntries(told))) throw new PrivateContentError();
  return request;
}
