import { providerUsageSchema, type JsonValue, type ProviderUsage } from '@palimpsest/contracts';
import { TerminalError } from '@palimpsest/kernel';
import { holdsSecret, redactJson } from '@palimpsest/transcript';
import { parseRequest } from './parse-request.js';

/** Usage names providers, models and numbers (host specification §4.7); the error does not say what it held besides. */
export class UsageCredentialLeakError extends TerminalError {
  constructor() {
    super('provider_usage_credential_leak', 'A provider.usage payload must hold no credential.');
  }
}

/**
 * A payload of `provider.usage` as it may be recorded. Secrets are looked for first: what holds one is refused as such,
 * wherever it stands. @throws UsageCredentialLeakError, ValidationError
 */
export function emittedUsage(body: unknown): ProviderUsage {
  const value = (body ?? null) as JsonValue;
  if (holdsCredential(value)) throw new UsageCredentialLeakError();
  return parseRequest(providerUsageSchema, value);
}

function holdsCredential(value: JsonValue): boolean {
  return stringsIn(value).some(holdsSecret) || JSON.stringify(redactJson(value)) !== JSON.stringify(value);
}

function stringsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...stringsIn(member)]);
}
