import type { z } from 'zod';

/** A JSON value as a request's schema gives it. */
export type SentJson = z.core.util.JSONType;

export type SentObject = Record<string, SentJson>;
