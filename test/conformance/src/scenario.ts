import type { Discovery, Host, SeamName } from './client/host.js';

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

type Gate = NonNullable<Scenario['needs']>;

/** The first gate that is closed. */
export function all(...gates: readonly Gate[]): Gate {
  return (discovery, host) => {
    for (const gate of gates) {
      const reason = gate(discovery, host);
      if (reason !== undefined) return reason;
    }
    return undefined;
  };
}

/** Claims of `agents` (host specification §1.5). */
export function agents(...wanted: readonly string[]): Gate {
  return (discovery) => {
    const missing = wanted.filter((claim) => discovery['agents']?.[claim] !== true);
    return missing.length === 0 ? undefined : `discovery does not claim agents.${missing.join(', agents.')}`;
  };
}

/** `multiAgent.executionModel` of at least this version (host specification §1.3). */
export function executionModel(version: number): Gate {
  return (discovery) => {
    const model: unknown = discovery['multiAgent']?.executionModel;
    const claimed = model as { readonly supported?: unknown; readonly version?: unknown } | undefined;
    if (claimed?.supported === true && Number(claimed.version) >= version) return undefined;
    return `discovery does not claim multiAgent.executionModel of version ${version}`;
  };
}

/** Seams of tests (host specification §9); no claim tells of them, so they were tried. */
export function seam(name: SeamName): Gate {
  return (_discovery, host) => (host.seams.has(name) ? undefined : `the host serves no seam: ${name}`);
}

/** `multiAgent.executionModel.contextBudget` (host specification §1.3), as far as the rows read it. */
export type ContextBudget = {
  readonly transcriptTokenBudget?: number;
  readonly tokenCounter?: string;
  readonly summarization?: {
    readonly supported?: boolean;
    readonly strategy?: string;
    readonly keepLastTurns?: number;
  };
};

export function contextBudgetOf(discovery: Discovery): ContextBudget | undefined {
  const model: unknown = discovery['multiAgent']?.executionModel;
  return (model as { readonly contextBudget?: ContextBudget } | undefined)?.contextBudget;
}

/** A budget in tokens is claimed. */
export function contextBudget(discovery: Discovery): string | undefined {
  const claimed = contextBudgetOf(discovery)?.transcriptTokenBudget !== undefined;
  return claimed ? undefined : 'discovery claims no contextBudget.transcriptTokenBudget';
}

/** Summaries in the place of older turns are claimed. */
export function summarization(discovery: Discovery): string | undefined {
  const claimed = contextBudgetOf(discovery)?.summarization?.supported === true;
  return claimed ? undefined : 'discovery claims no contextBudget.summarization';
}

/** Replays are claimed (host specification §1.4). */
export function replays(discovery: Discovery): string | undefined {
  return claimsForks(discovery, 'replay') ? undefined : 'discovery claims no replay';
}

/** Branches are claimed. */
export function branches(discovery: Discovery): string | undefined {
  return claimsForks(discovery, 'branch') ? undefined : 'discovery claims no branch';
}

function claimsForks(discovery: Discovery, mode: string): boolean {
  const { supported, modes }: { supported?: unknown; modes?: unknown } = discovery['replay'] ?? {};
  return supported === true && Array.isArray(modes) && modes.includes(mode);
}
