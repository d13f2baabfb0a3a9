/** The two node types that make an execution loop (host specification §5). */
export const SUPERVISOR = 'core.orchestrator.supervisor';
export const DISPATCH = 'core.dispatch';
