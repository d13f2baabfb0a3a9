import { delegationListSchema, delegationViewSchema } from '@palimpsest/contracts/registry';
import { delegateRequestSchema, streamPageQuerySchema } from '../domain/workgroup-requests.js';

/** What is handed on, recorded before it is. */
export const DELEGATION_OPERATIONS = {
  delegate: {
    method: 'POST',
    path: '/v1/workgroups/{workgroupId}/delegations',
    scopes: ['workgroups:write'],
    status: 201,
    summary: 'Record a delegation before it is made, and hear how to make it',
    description:
      'The decision is the contract’s dispatch (§11) over recorded state: writers at work, inherited context, depth, the lineage’s record, the phase and the rollout’s stage are the registry’s; differences names what was said otherwise. selectedMode is what to do.',
    body: delegateRequestSchema,
    response: delegationViewSchema,
    errors: ['not_found', 'stale_fence', 'context_refused', 'private_content'],
  },
  listDelegations: {
    method: 'GET',
    path: '/v1/workgroups/{workgroupId}/delegations',
    scopes: ['workgroups:read'],
    status: 200,
    summary: 'List delegations, oldest first',
    description:
      'after is the next of the page before, or a sequence; at most 500 a page and 512 KiB, 100 where limit is left out.',
    query: streamPageQuerySchema,
    response: delegationListSchema,
    errors: ['not_found', 'private_content'],
  },
} as const;
