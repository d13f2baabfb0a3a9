import { replaceKeyBlocks } from './key-blocks.js';
import {
  NAMED_SECRET,
  NAMED_SECRET_IN_PLACE,
  SECRET_HINT,
  SECRET_MARKS,
  SECRET_MARKS_IN_PLACE,
} from './secret-marks.js';

export const REDACTED = '[redacted]';

/** A derived text without secrets: each becomes `[redacted]`, with the name that gives it away. Idempotent. */
export function redactSecrets(text: string): string {
  if (!SECRET_HINT.test(text)) return text;
  const blocks = replaceKeyBlocks(text, () => REDACTED);
  return [...SECRET_MARKS, NAMED_SECRET].reduce((rest, mark) => rest.replace(mark, REDACTED), blocks);
}

/** True where a text holds a secret, openly or in base64. */
export function holdsSecret(text: string): boolean {
  return redactSecrets(text) !== text || encodedSecret(text);
}

/** A derived text without secrets, open ones and those in base64. Idempotent. */
export function withoutSecrets(text: string): string {
  return redactSecrets(text).replace(BASE64, (run) => (hidesSecret(run) ? REDACTED : run));
}

const BASE64 = /[A-Za-z0-9+/_-]{16,4096}={0,2}/g;
const PLAIN = /^[\t\n\r -~]+$/;

function encodedSecret(text: string): boolean {
  return (text.match(BASE64) ?? []).some(hidesSecret);
}

function hidesSecret(run: string): boolean {
  const plain = decoded(run);
  return plain !== undefined && PLAIN.test(plain) && redactSecrets(plain) !== plain;
}

function decoded(run: string): string | undefined {
  const standard = run.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');
  return standard.length % 4 === 1 ? undefined : atob(standard);
}

/** Secrets as NULs of the same length: places stay, and no reader takes them for a value. */
export function maskSecrets(text: string): string {
  if (!SECRET_HINT.test(text)) return text;
  const blocks = replaceKeyBlocks(text, blank);
  const masked = SECRET_MARKS_IN_PLACE.reduce((rest, mark) => rest.replace(mark, blank), blocks);
  return masked.replace(NAMED_SECRET_IN_PLACE, (_, name: string, value: string) => name + maskedValue(value));
}

function blank(secret: string): string {
  return '\0'.repeat(secret.length);
}

/** The opening quotation mark stays: the text around it keeps its structure. */
function maskedValue(value: string): string {
  const quote = /^\\?["']/.exec(value)?.[0] ?? '';
  const secret = value.slice(quote.length);
  return secret.length < 3 ? value : quote + blank(secret);
}
