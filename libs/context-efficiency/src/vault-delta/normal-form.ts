import { compatibilityForm } from '../text/compatibility-form.js';

/**
 * The text by which deltas are compared (contract §10.1). Punctuation counts only where it touches a number, signs
 * and symbols always: `x > 3`, `x < 3`, `-3`, `3` and `3.5` all differ.
 */
export function normalText(text: string): string {
  return compatibilityForm(text)
    .toLowerCase()
    .replace(/(?<!\p{N})\p{P}(?!\p{N})/gu, ' ')
    .replace(/[^\p{L}\p{N}\p{M}\p{S}\p{P}]+/gu, ' ')
    .trim();
}

/** The name of a target keeps its case. */
export function normalTarget(target: string): string {
  return compatibilityForm(target).trim();
}
