import { z } from 'zod';

/** The units a transcript budget can be declared in (host specification §1.3; `host-defined` is not offered). */
export const TOKEN_COUNTERS = ['o200k_base', 'cl100k_base', 'chars'] as const;

export type TokenCounterName = (typeof TOKEN_COUNTERS)[number];

export const tokenCounterSchema = z.enum(TOKEN_COUNTERS);

/** One text measured in every unit. `chars` counts Unicode code points. */
export type TokenCounts = Readonly<Record<TokenCounterName, number>>;

const count = z.int().min(0);

export const tokenCountsSchema = z.strictObject({ o200k_base: count, cl100k_base: count, chars: count });
