import { z } from 'zod';

/** Spellings that examples and templates carry; a process that starts with one of them is open to everybody. */
const PLACEHOLDER =
  /^(?:changeme|change[-_]me|secret|password|example|placeholder|todo|x{4,}|<.*>|replace[-_].*|your[-_].*)$/i;

const isPlaceholder = (text: string): boolean => PLACEHOLDER.test(text.trim());

/** A secret of at least 32 characters. */
export const secret = z
  .string()
  .refine((text) => !isPlaceholder(text), 'is a placeholder: set a secret of your own')
  .refine((text) => isPlaceholder(text) || text.length >= 32, 'is too short: at least 32 characters');

/** A connection string of one of the schemes given. */
export function connectionUrl(...schemes: readonly string[]): z.ZodType<string, string> {
  return z
    .string()
    .refine(
      (text) => schemes.includes(schemeOf(text)),
      `must be a URL that starts with ${schemes.join(':// or ')}://`,
    )
    .refine((text) => !isPlaceholder(passwordOf(text)), 'has a placeholder for a password: set your own');
}

export function wholeNumber(least: number, most: number): z.ZodType<number, string> {
  return z
    .string()
    .regex(/^-?\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must lie between ${least} and ${most}`);
}

function schemeOf(text: string): string {
  return URL.canParse(text) ? new URL(text).protocol.slice(0, -1) : '';
}

function passwordOf(text: string): string {
  return URL.canParse(text) ? safeDecode(new URL(text).password) : '';
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
