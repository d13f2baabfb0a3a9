export type WaitOptions = {
  /** Named when the wait is in vain. */
  readonly what?: string;
  /** Default 8000, below what a spec may take. */
  readonly withinMs?: number;
};

type Falsy = false | undefined | null | 0 | '';

/** Polls until the probe answers something truthy, and gives that. For what happens outside the spec's hands. */
export async function waitUntil<Value>(
  probe: () => Value | Promise<Value>,
  options: WaitOptions = {},
): Promise<Exclude<Value, Falsy>> {
  const endsAt = performance.now() + (options.withinMs ?? 8000);
  for (;;) {
    const value = await probe();
    if (value) return value as Exclude<Value, Falsy>;
    if (performance.now() > endsAt) throw new WaitedInVainError(options.what ?? probe.toString());
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

class WaitedInVainError extends Error {
  constructor(what: string) {
    super(`Waited in vain for: ${what}`);
  }
}
