import type { Discovery, Host } from './client/host.js';

/** One row of the host specification's §12. */
export type Scenario = {
  /** The row's name, and the name of its file. */
  readonly name: string;
  /** Why the row does not apply to this host; undefined where it does. */
  readonly needs?: (discovery: Discovery, host: Host) => string | undefined;
  /** Registers the row's tests. */
  readonly tests: (host: Host) => void;
};

/** A gate of fixtures that the host has to list (host specification §1.6). */
export function fixtures(...wanted: readonly string[]): NonNullable<Scenario['needs']> {
  return (discovery) => {
    const listed = Array.isArray(discovery.fixtures) ? discovery.fixtures : [];
    const missing = wanted.filter((fixture) => !listed.includes(fixture));
    return missing.length === 0 ? undefined : `discovery lists no fixture ${missing.join(', ')}`;
  };
}
