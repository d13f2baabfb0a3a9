import { RetryableError, TerminalError } from '@palimpsest/kernel';
import type { WorkflowNode } from '@palimpsest/contracts';

/** Families of node types, and the capability of discovery that would claim them. */
const CAPABILITIES: readonly (readonly [prefix: string, capability: string])[] = [
  ['core.orchestrator.', 'agents.orchestrator'],
  ['core.ai.', 'aiProviders'],
  ['core.subWorkflow', 'subWorkflow'],
];

/** The workflow has a node that this host does not execute (host specification §3.1). */
export class CapabilityRequiredError extends TerminalError {
  constructor({ id, typeId }: Pick<WorkflowNode, 'id' | 'typeId'>) {
    const [, capability = typeId] = CAPABILITIES.find(([prefix]) => typeId.startsWith(prefix)) ?? [];
    super(
      'capability_required',
      `The node ${id} is of the type ${typeId}, which this host does not execute.`,
      {
        details: { requiredCapability: capability, offendingTypeId: typeId, nodeId: id },
      },
    );
  }
}

export class MockProviderForbiddenError extends TerminalError {
  constructor() {
    super('mock_provider_forbidden', 'configurable.mockProvider is for test keys only.', {
      details: { field: 'configurable.mockProvider' },
    });
  }
}

/** As discovery names this host. */
const HOST = 'palimpsest';
const RETRY_AFTER_SECONDS = 5;

/** `X-Dedup: enforce`: the other run goes first (host specification §2.3). Nothing was done, so the same request may come again. */
export class RunAlreadyActiveError extends RetryableError {
  constructor(activeRunId: string) {
    super('run_already_active', 'Another run of this workflow and scope has not ended yet.', {
      retryAfterMs: RETRY_AFTER_SECONDS * 1000,
      details: { activeRunId, activeHost: HOST, retryAfter: RETRY_AFTER_SECONDS },
    });
  }
}

export class InterruptExpiredError extends TerminalError {
  constructor() {
    super('interrupt_expired', 'This token has expired; read the run for a new one.');
  }
}

export class InspectOnlyTokenError extends TerminalError {
  constructor() {
    super('forbidden', 'This token shows its interrupt; it does not answer it.', {
      details: { intentRequired: 'resolve' },
    });
  }
}
