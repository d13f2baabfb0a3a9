import type { LineageVerdict, Reason } from '@palimpsest/context-efficiency';
import type { EvictionReason } from '@palimpsest/contracts/registry';
import { TerminalError, ValidationError } from '@palimpsest/kernel';
import {
  MOST_DEPTH,
  MOST_INHERITED_WRITERS,
  MOST_LINEAGES,
  type Lineage,
  type Workgroup,
} from './workgroup.js';

const SEAT_TAKEN =
  'The workgroup has a coordinator. Who it is goes on with "fence"; anybody else takes the seat with "takeOver".';

/** Somebody else's lease of the coordinator's seat still runs. */
export class SeatTakenError extends TerminalError {
  constructor(workgroupId: string, expiresAt: string) {
    super('seat_taken', SEAT_TAKEN, { details: { workgroupId, expiresAt } });
  }
}

/** The fence is not the one that holds the coordinator's seat. */
export class StaleSeatError extends TerminalError {
  constructor({ workgroupId }: Workgroup) {
    super('stale_fence', 'The fence does not hold the seat of the coordinator.', {
      details: { workgroupId },
    });
  }
}

/** The fence is not the one that holds the lineage: it was given again since, released or evicted. */
export class StaleFenceError extends TerminalError {
  constructor({ lineageId, status, eviction }: Lineage) {
    super('stale_fence', 'The fence does not hold this lineage.', {
      details: { lineageId, status, ...(eviction && { reason: eviction }) },
    });
  }
}

/** The id names a lineage already: of this workgroup or of another one of the tenant, live or evicted. */
export class LineageExistsError extends TerminalError {
  constructor(readonly lineageId: string) {
    super('lineage_exists', 'A lineage with this id was registered before.', { details: { lineageId } });
  }
}

export class LineageHeldError extends TerminalError {
  constructor({ lineageId }: Lineage) {
    super('lineage_held', 'Somebody works as this lineage.', { details: { lineageId } });
  }
}

export class LineageEvictedError extends TerminalError {
  constructor({ lineageId, eviction }: Lineage) {
    super('lineage_evicted', 'The lineage has left its workgroup.', {
      details: { lineageId, reason: eviction },
    });
  }
}

/** The recorded lineage is not hot under the facts that were given (contract §5.3). */
export class ResumeRefusedError extends TerminalError {
  constructor(
    { lineageId }: Lineage,
    readonly verdict: LineageVerdict,
    readonly consequence: {
      /** Why the refusal ends the lineage; null where it goes on. */
      readonly eviction: EvictionReason | null;
      /** What bars one that is hot. */
      readonly reasonCodes?: readonly Reason[];
    },
  ) {
    const { eviction, reasonCodes } = consequence;
    super('resume_refused', 'The lineage cannot be resumed under these facts.', {
      details: {
        lineageId,
        ...verdictDetails(verdict),
        ...reasonDetails(reasonCodes),
        ...(eviction && { evicted: eviction }),
      },
    });
  }
}

/** What the parent knows is not for this child. */
export class InheritanceRefusedError extends TerminalError {
  constructor(
    { lineageId }: Lineage,
    readonly verdict: LineageVerdict,
    /** What bars one that is hot. */
    readonly reasonCodes: readonly Reason[] = [],
  ) {
    super('inheritance_refused', 'Nothing can be inherited from this lineage under these facts.', {
      details: { lineageId, ...verdictDetails(verdict), ...reasonDetails(reasonCodes) },
    });
  }
}

/** Behind the final gate nobody begins, until the coordinator advances the phase. */
export class FinalGateError extends TerminalError {
  constructor({ workgroupId }: Workgroup) {
    super('final_gate', 'The workgroup has passed its final gate.', { details: { workgroupId } });
  }
}

/** The unit is not the one that was delegated. */
export class DelegationMismatchError extends TerminalError {
  constructor(delegationId: string, fields: readonly string[]) {
    super('delegation_mismatch', 'The unit is not the one that was delegated.', {
      details: { delegationId, fields: [...fields] },
    });
  }
}

/** A writer at work owns a path that equals, contains or lies in one that was asked for (contract §4.2). */
export class WriterScopeConflictError extends TerminalError {
  constructor(holder: Lineage) {
    super('writer_scope_conflict', 'Another writer owns some of these paths.', {
      details: { lineageId: holder.lineageId },
    });
  }
}

export class InheritedWriterLimitError extends TerminalError {
  constructor() {
    super('inherited_writer_limit', 'As many writers as may go on with context taken over do so.', {
      details: { limit: MOST_INHERITED_WRITERS },
    });
  }
}

export class NestingLimitError extends TerminalError {
  constructor(parent: Lineage) {
    super('nesting_limit', 'The parent is nested as deep as a lineage may be.', {
      details: { lineageId: parent.lineageId, limit: MOST_DEPTH },
    });
  }
}

/** Nobody is idle whose place could be taken. */
export class WorkgroupFullError extends TerminalError {
  constructor(workgroupId: string) {
    super('workgroup_full', 'The workgroup has as many lineages as it may.', {
      details: { workgroupId, limit: MOST_LINEAGES },
    });
  }
}

/** A field of a command that its schema allows and the state does not. */
export function unfitting(field: string, rule = 'custom'): ValidationError {
  return new ValidationError(`The field ${field} does not fit.`, { field, rule });
}

function verdictDetails({ state, invalidations }: LineageVerdict) {
  return { state, invalidations: [...invalidations] };
}

function reasonDetails(reasonCodes: readonly Reason[] = []) {
  return reasonCodes.length > 0 && { reasonCodes: [...reasonCodes] };
}
