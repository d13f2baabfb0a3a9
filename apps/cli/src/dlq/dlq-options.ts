import type { STREAMS } from '@palimpsest/contracts';
import type { DatabaseOptions } from '../database/database-url.js';

/** Streams whose messages can die. Written out, so that `--help` need not load where they come from. */
export const LETTER_STREAMS = ['SUMMARIZE', 'ADVANCE', 'RUN_EVENTS'] as const satisfies readonly Exclude<
  (typeof STREAMS)[keyof typeof STREAMS]['name'],
  'DEAD_LETTERS'
>[];

export type LetterStream = (typeof LETTER_STREAMS)[number];

export type BusOptions = DatabaseOptions & { readonly natsUrl?: string };

/** Of every command of the dead letter queue. Without a stream it is about all of them. */
export type DlqOptions = BusOptions & { readonly stream?: LetterStream; readonly json?: boolean };

export type SettleOptions = DlqOptions & { readonly all?: boolean };

/** More than any stream holds. */
export const ALL_LETTERS = 1_000_000;
