import { setTimeout as pause } from 'node:timers/promises';

const STEP_MS = 50;

/** How long a run may take to get somewhere, in ms (host specification §9.3). */
export const LIFECYCLE_MS = positive(process.env['OPENWOP_LIFECYCLE_TIMEOUT_MS'], 10_000);

/** The specification's own deadlines, times what a slow machine is given (host specification §9.3). */
export function scaled(milliseconds: number): number {
  return milliseconds * positive(process.env['OPENWOP_POLL_TIMEOUT_SCALE'], 1);
}

/** Probes until there is something; nothing in time is an error that says what was awaited and what was seen last. */
export async function eventually<Found>(
  what: string,
  probe: () => Promise<Found | undefined>,
  options: { readonly withinMs?: number; readonly seen?: () => string } = {},
): Promise<Found> {
  const endsAt = performance.now() + (options.withinMs ?? LIFECYCLE_MS);
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    if (performance.now() > endsAt) {
      throw new Error(`In vain it was waited for: ${what}. ${options.seen?.() ?? ''}`.trim());
    }
    await pause(STEP_MS);
  }
}

function positive(text: string | undefined, otherwise: number): number {
  const number = Number(text);
  return Number.isFinite(number) && number > 0 ? number : otherwise;
}
