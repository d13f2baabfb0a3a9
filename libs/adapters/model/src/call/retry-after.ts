type Headers = Readonly<Record<string, string>>;

/** Milliseconds that a provider asks to wait, from `retry-after-ms` or `retry-after` in seconds or as a date. */
export function retryAfterMs(headers: Headers | undefined, now: Date): number | undefined {
  const exact = amount(headers?.['retry-after-ms']);
  if (exact !== undefined) return exact;
  const text = headers?.['retry-after'];
  const seconds = amount(text);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const date = Date.parse(text ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}

function amount(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}(\.\d{1,6})?$/.test(text.trim()) ? Number(text) : undefined;
}
