import canonicalizeModule from 'canonicalize';

/** The package is CommonJS: its default export is the function, which its declaration does not say to ES modules. */
const canonicalize = canonicalizeModule as unknown as (value: unknown) => string;

/**
 * RFC 8785 text of a JSON value (contract §2.2). Unlike content in the log, lone surrogates are written, as
 * escapes. Throws for what has no such text: numbers beyond the range of doubles, nesting beyond the stack.
 */
export function canonicalJson(value: unknown): string {
  return canonicalize(value);
}
