/** The run's next events are decided and not durable; another orchestrator may append first. */
export const DECIDED = 'orchestrator.decided';
/** Events are durable with their header; the run's timer is still that of before. */
export const APPENDED = 'orchestrator.appended';
/** The timer is set or gone; the job is not acknowledged. */
export const TIMER_SET = 'orchestrator.timer-set';
/** A due timer is claimed; its run is as it was. */
export const TIMER_CLAIMED = 'orchestrator.timer-claimed';
/** A child of a run that is being cancelled was told; the run's own end is not recorded. */
export const CHILD_CANCELLED = 'orchestrator.child-cancelled';
