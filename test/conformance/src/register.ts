import type { Discovery, Host } from './client/host.js';
import type { Scenario } from './scenario.js';

export type Skipped = { readonly name: string; readonly reason: string };

/** The rows that do not apply to a host, with the reason of each. */
export function notApplicable(
  scenarios: readonly Scenario[],
  discovery: Discovery,
  host: Host,
): readonly Skipped[] {
  return scenarios.flatMap(({ name, needs }) => {
    const reason = needs?.(discovery, host);
    return reason === undefined ? [] : [{ name, reason }];
  });
}

/** Registers every row, whatever the host says that it offers. */
export function registerAll(scenarios: readonly Scenario[], host: Host): void {
  for (const { name, tests } of scenarios) describe(name, () => tests(host));
}

/** Registers the rows that apply; each other row is a skipped test that says why. */
export function registerApplicable(scenarios: readonly Scenario[], discovery: Discovery, host: Host): void {
  const skipped = new Map(
    notApplicable(scenarios, discovery, host).map(({ name, reason }) => [name, reason]),
  );
  registerAll(
    scenarios.filter(({ name }) => !skipped.has(name)),
    host,
  );
  for (const [name, reason] of skipped)
    describe(name, () => void it.skip(`not applicable: ${reason}`, () => {}));
}
