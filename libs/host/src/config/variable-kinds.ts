import { isIP } from 'node:net';
import { z } from 'zod';

/** Spellings that examples and templates carry; a process that starts with one of them is open to everybody. */
const PLACEHOLDER =
  /^(?:changeme|change[-_]me|secret|password|example|placeholder|todo|x{4,}|<.*>|replace[-_].*|your[-_].*)$/i;

const isPlaceholder = (text: string): boolean => PLACEHOLDER.test(text.trim());

/** What docs/configuration.md says of a kind's values. */
export type ValuesMeta = { readonly values: string; readonly secret?: 'yes' | 'its password' };

const described = (meta: ValuesMeta): ValuesMeta => meta;

/** A secret of at least 32 characters. */
export const secret = z
  .string()
  .refine((text) => !isPlaceholder(text), 'is a placeholder: set a secret of your own')
  .refine((text) => isPlaceholder(text) || text.length >= 32, 'is too short: at least 32 characters')
  .meta(described({ values: 'at least 32 characters', secret: 'yes' }));

/** A key that somebody else made: of any length, but one that fits into a header. */
export const providerKey = z
  .string()
  .refine((text) => !isPlaceholder(text), 'is a placeholder: set a key of your own')
  .refine((text) => /^[\x21-\x7e]+$/.test(text), 'must be ASCII without spaces')
  .meta(described({ values: 'a key', secret: 'yes' }));

/** A connection string of one of the schemes given. */
export function connectionUrl(...schemes: readonly string[]): z.ZodType<string, string> {
  return z
    .string()
    .refine(
      (text) => schemes.includes(schemeOf(text)),
      `must be a URL that starts with ${schemes.join(':// or ')}://`,
    )
    .refine((text) => !isPlaceholder(passwordOf(text)), 'has a placeholder for a password: set your own')
    .meta(
      described({
        values: schemes.map((scheme) => `\`${scheme}://…\``).join(' or '),
        secret: 'its password',
      }),
    );
}

export function wholeNumber(least: number, most: number): z.ZodType<number, string> {
  return z
    .string()
    .regex(/^-?\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must lie between ${least} and ${most}`)
    .meta(described({ values: `whole number, ${least} to ${most}` }));
}

export const flag: z.ZodType<boolean, string> = z
  .string()
  .refine((text) => text === 'true' || text === 'false', 'must be true or false')
  .transform((text) => text === 'true')
  .meta(described({ values: '`true` or `false`' }));

/** Names of models as a provider has them, separated by commas. */
export const modelNames: z.ZodType<string[], string> = z
  .string()
  .transform((text) => text.split(',').map((each) => each.trim()))
  .refine((all) => all.every((name) => name !== ''), 'must be names, separated by commas')
  .refine((all) => all.length <= 100, 'has more than 100 names')
  .refine((all) => all.every((name) => name.length <= 256), 'has a name that is too long')
  .meta(described({ values: 'names, separated by commas' }));

/** Addresses or networks in CIDR notation, separated by commas. */
export const networks: z.ZodType<string[], string> = z
  .string()
  .transform((text) => text.split(',').map((each) => each.trim()))
  .refine((all) => all.every(isNetwork), 'must be addresses or networks like 10.0.0.0/8, separated by commas')
  .meta(described({ values: 'addresses or networks like `10.0.0.0/8`, separated by commas' }));

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
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
