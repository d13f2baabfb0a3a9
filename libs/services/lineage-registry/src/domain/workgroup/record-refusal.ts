import type { LineageVerdict } from '@palimpsest/context-efficiency';
import type { ErrorCode } from '@palimpsest/contracts';
import { TerminalError } from '@palimpsest/kernel';
import type { Decision } from './decision.js';
import { MOST_KNOWN_REFUSALS, type Lineage, type LineageRefusal } from './workgroup.js';
import { InheritanceRefusedError, ResumeRefusedError } from './workgroup.errors.js';
import type { WorkgroupEvent } from './workgroup-events.js';

/** Refusals about lineages, that somebody may ask for later; malformed commands are none. */
const RECORDED: ReadonlySet<ErrorCode> = new Set([
  'lineage_held',
  'lineage_evicted',
  'resume_refused',
  'inheritance_refused',
  'writer_scope_conflict',
  'inherited_writer_limit',
  'nesting_limit',
  'workgroup_full',
]);

type Wanted = { readonly lineage: Lineage; readonly wanted: 'resume' | 'inherit' };

/** Decides, and records a refusal with what it means for the lineage. */
export function recordingRefusal<Answer>(asked: Wanted, decide: () => Decision<Answer>): Decision<Answer> {
  try {
    return decide();
  } catch (error) {
    if (!(error instanceof TerminalError) || !RECORDED.has(error.code)) throw error;
    return { events: [...refused(asked, error), ...consequences(asked.lineage, error)], refusal: error };
  }
}

/** Who asks again and again hears the same, and is recorded once; whoever finds ever other reasons, a few times. */
function refused({ lineage, wanted }: Wanted, error: TerminalError): readonly WorkgroupEvent[] {
  const { lineageId, knownRefusals } = lineage;
  const payload: LineageRefusal = { wanted, code: error.code, ...verdictBehind(error) };
  if (knownRefusals.length >= MOST_KNOWN_REFUSALS) return [];
  if (knownRefusals.some((known) => signature(known) === signature(payload))) return [];
  return [{ type: 'palimpsest.lineage.refused', lineageId, payload }];
}

function signature({ wanted, code, state, invalidations, reasonCodes = [] }: LineageRefusal): string {
  return JSON.stringify([wanted, code, state, invalidations, reasonCodes]);
}

/** What bars a lineage beside its verdict is looked at once that is `HOT`. */
function verdictBehind(error: TerminalError): Omit<LineageRefusal, 'wanted' | 'code'> {
  if (error instanceof ResumeRefusedError) return judged(error.verdict, error.consequence.reasonCodes);
  if (error instanceof InheritanceRefusedError) return judged(error.verdict, error.reasonCodes);
  const isJudged = error.code !== 'lineage_held' && error.code !== 'lineage_evicted';
  return { state: isJudged ? 'HOT' : null, invalidations: [] };
}

function judged({ state, invalidations }: LineageVerdict, reasonCodes: readonly string[] = []) {
  return { state, invalidations, ...(reasonCodes.length > 0 && { reasonCodes }) };
}

/** Only who would have gone on as the lineage says something about it; a child does not. */
function consequences(lineage: Lineage, error: TerminalError): readonly WorkgroupEvent[] {
  if (!(error instanceof ResumeRefusedError)) return [];
  const { lineageId } = lineage;
  const { verdict, consequence } = error;
  const { eviction: reason } = consequence;
  if (reason) return [{ type: 'palimpsest.lineage.evicted', lineageId, payload: { reason } }];
  const isDue = verdict.state === 'RECONCILE_REQUIRED' && !lineage.reconcileRequired;
  return isDue ? [{ type: 'palimpsest.lineage.reconcile_required', lineageId, payload: {} }] : [];
}
