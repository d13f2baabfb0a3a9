import type { Logger } from '@palimpsest/kernel';

/** What was logged, as text: to be searched for what must not be in it. */
export class KeptLog implements Logger {
  readonly lines: string[] = [];

  debug(fields: object, message: string): void {
    this.lines.push(textOf(fields, message));
  }

  info(fields: object, message: string): void {
    this.lines.push(textOf(fields, message));
  }

  warn(fields: object, message: string): void {
    this.lines.push(textOf(fields, message));
  }

  error(fields: object, message: string): void {
    this.lines.push(textOf(fields, message));
  }
}

/** Errors hide what they say from JSON. */
function textOf(fields: object, message: string): string {
  return JSON.stringify([fields, message], (_key, value: unknown) =>
    value instanceof Error ? [value.message, value.stack, { ...value }] : value,
  );
}
