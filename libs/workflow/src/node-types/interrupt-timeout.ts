import type { JsonObject } from '@palimpsest/contracts';
import { z } from 'zod';

const YEAR_MS = 366 * 24 * 60 * 60 * 1000;

/** Milliseconds; 0: none. */
export const timeoutMsSchema = z.int().min(0).max(YEAR_MS).optional();

export function timeoutMsOf({ timeoutMs }: JsonObject): { timeoutMs?: number } {
  return typeof timeoutMs === 'number' && timeoutMs > 0 ? { timeoutMs } : {};
}
