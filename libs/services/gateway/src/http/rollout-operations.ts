import {
  promotionSchema,
  rolloutReportSchema,
  rolloutsSchema,
  rolloutViewSchema,
  selectionSchema,
} from '@palimpsest/contracts/registry';
import {
  changeStageRequestSchema,
  promoteRequestSchema,
  rolloutReportQuerySchema,
  selectRequestSchema,
} from '../domain/rollout-requests.js';

/** What measurements and their envelope may have: as much as a request of the contract (§13). */
const EVIDENCE_BYTES = 1_048_576;

/** How recommendations come into force in an environment, for the list of all. */
export const ROLLOUT_OPERATIONS = {
  readRollouts: {
    method: 'GET',
    path: '/v1/rollouts/{environment}',
    scopes: ['rollouts:read'],
    status: 200,
    summary: 'Read at which stage each family of interventions is',
    response: rolloutsSchema,
    errors: ['private_content'],
  },
  changeStage: {
    method: 'POST',
    path: '/v1/rollouts/{environment}',
    scopes: ['rollouts:manage'],
    status: 200,
    summary: 'Move a family to another stage',
    description:
      'One rung up without a promotion as far as shadow; down to any rung at any time. A family that leaves off names its candidate.',
    body: changeStageRequestSchema,
    response: rolloutViewSchema,
    errors: [
      'private_content',
      'version_conflict',
      'stage_not_next',
      'stage_not_active',
      'promotion_required',
      'intervention_in_progress',
      'environment_full',
    ],
  },
  selectRollout: {
    method: 'POST',
    path: '/v1/rollouts/{environment}:select',
    scopes: ['workgroups:write'],
    status: 200,
    summary: 'Ask whether a recommendation is to be executed, in the recorded stage',
    description:
      'The same corpus id is answered the same while the stage stays. What is done is recorded as an event, what is recommended as another.',
    body: selectRequestSchema,
    response: selectionSchema,
    errors: ['private_content', 'context_refused'],
  },
  promoteRollout: {
    method: 'POST',
    path: '/v1/rollouts/{environment}/promotions',
    scopes: ['rollouts:manage'],
    status: 200,
    summary: 'Ask for the next rung, with signed measurements',
    description:
      'Every gate is answered with its figure and its threshold; promoted false is an answer, too. A measurement run that promoted is used up.',
    body: promoteRequestSchema,
    bodyBytes: EVIDENCE_BYTES,
    response: promotionSchema,
    errors: [
      'private_content',
      'context_refused',
      'artifact_erased',
      'version_conflict',
      'stage_not_next',
      'stage_not_active',
    ],
  },
  reportRollout: {
    method: 'GET',
    path: '/v1/rollouts/{environment}/report',
    scopes: ['rollouts:read'],
    status: 200,
    summary:
      'Read what a family’s last promotion was decided by, and what was observed since its last change',
    description:
      'Observed in all of the environment, by how work was done; an event without a mode counts under that of the newest decision done for its corpus id. Billed figures are of sources that vouch for them, and null where none does.',
    query: rolloutReportQuerySchema,
    response: rolloutReportSchema,
    errors: ['private_content'],
  },
} as const;
