import { ValidationError } from './known-errors.js';
import { TerminalError } from './palimpsest-error.js';

/** As much of a zod schema as is needed here. */
type Schema<Output> = {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: Output }
    | { readonly success: false; readonly error: { readonly issues: readonly SchemaIssue[] } };
};

type SchemaIssue = {
  readonly path: readonly PropertyKey[];
  readonly code?: string;
};

/** A request as its schema has it, or a `ValidationError` that names the first field that does not fit, never its value. */
export function parseRequest<Output>(schema: Schema<Output>, value: unknown): Output {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.map(String).join('.') || '(body)';
  throw new ValidationError(`The field ${field} does not fit.`, { field, rule: issue?.code ?? 'custom' });
}

/** An answer of another service as its schema has it; a service that answers otherwise is broken, or of another version. */
export function parseAnswer<Output>(schema: Schema<Output>, value: unknown, subject: string): Output {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.map(String).join('.') || '(body)';
  throw new TerminalError('internal_error', 'A service answered in a shape that is not known here.', {
    details: { subject, field },
  });
}
