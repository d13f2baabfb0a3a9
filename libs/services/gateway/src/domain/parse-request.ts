import type { z } from 'zod';
import type { JsonObject } from '@palimpsest/contracts';
import { ValidationError } from '@palimpsest/kernel';

type Issue = z.core.$ZodIssue;

/**
 * A value in the shape its schema asks for, or a `ValidationError` that names the first thing wrong as
 * `details.field` (a path like `messages.3.role`). `where` goes before the path, as in `query.limit`.
 */
export function parseRequest<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  where?: string,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw validationErrorOf(parsed.error, where);
}

/** As `parseRequest`, of a body that may be left out. `null` is a body. */
export function parseOptionalBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  return parseRequest(schema, body === undefined ? {} : body);
}

export function validationErrorOf(error: z.ZodError, where?: string): ValidationError {
  const issue = ofUnknownKey(deepest(error.issues[0]));
  const path = [...(where === undefined ? [] : [where]), ...(issue?.path ?? []).map(fieldName)];
  const field = path.join('.');
  const message = issue?.message ?? 'does not fit its schema';
  const details: JsonObject = field === '' ? {} : { field };
  return new ValidationError(field === '' ? `The body: ${message}` : `${field}: ${message}`, details);
}

/** An error may be written to a log: a key of the caller's is shown in part, and well-formed. */
function fieldName(key: PropertyKey): string {
  return String(key).slice(0, 64).toWellFormed().replaceAll('\u0000', '\uFFFD');
}

/** An unknown key is named like a field that is there. */
function ofUnknownKey(issue: Issue | undefined): Issue | undefined {
  if (issue?.code !== 'unrecognized_keys') return issue;
  return { ...issue, path: [...issue.path, ...issue.keys.slice(0, 1)], message: 'is not known here' };
}

/** Of a union, the branch that got furthest says best what was meant. */
function deepest(issue: Issue | undefined): Issue | undefined {
  if (issue?.code !== 'invalid_union' || issue.errors.length === 0) return issue;
  const branches = issue.errors.flatMap((branch) => deepest(branch[0]) ?? []);
  const best = branches.reduce<Issue | undefined>(
    (found, each) => (found && found.path.length >= each.path.length ? found : each),
    undefined,
  );
  if (!best || best.path.length === 0) return issue;
  return { ...best, path: [...issue.path, ...best.path] };
}
