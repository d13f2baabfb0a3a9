/** A dependency's check: resolves true while it can be used; false or a rejection otherwise. */
export type ReadinessCheck = () => boolean | Promise<boolean>;

export type ReadinessReport = {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, 'ok' | 'failing'>>;
};

export type Readiness = {
  report(): Promise<ReadinessReport>;
  /** From now on not ready, whatever the checks say: the process is going. */
  drain(): void;
};

/** A check that is not done after `timeoutMs` (default 1000) counts as failing. */
export function createReadiness(
  checks: Readonly<Record<string, ReadinessCheck>>,
  timeoutMs = 1000,
): Readiness {
  let draining = false;
  return {
    drain: () => {
      draining = true;
    },
    report: async () => {
      const results = await Promise.all(
        Object.entries(checks).map(async ([name, check]) => [name, await holds(check, timeoutMs)] as const),
      );
      return {
        ready: !draining && results.every(([, ok]) => ok),
        checks: Object.fromEntries(results.map(([name, ok]) => [name, ok ? 'ok' : 'failing'])),
      };
    },
  };
}

async function holds(check: ReadinessCheck, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  try {
    return await Promise.race([Promise.resolve().then(check), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
