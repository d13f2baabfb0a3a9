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
/** `dispatch.began` is durable; its child run is not started. */
export const HAND_OFF_BEGAN = 'orchestrator.hand-off-began';
/** The child run is durable; its parent's log does not say so. */
export const CHILD_CREATED = 'orchestrator.child-created';
/** The parent's log names the child; nobody has looked how it fares. */
export const CHILD_AWAITED = 'orchestrator.child-awaited';
/** The child's end is known and its parent's log does not say so. */
export const CHILD_END_SEEN = 'orchestrator.child-end-seen';
/** What the child returned to a model is stored; its parent's log does not refer to it. */
export const RETURNED_STORED = 'orchestrator.returned-stored';
/** A run that another one waits for has ended; that one was not told. */
export const CHILD_ENDED = 'orchestrator.child-ended';
/** The window of a turn is recorded; nobody has claimed the model's call. */
export const WINDOW_PLANNED = 'orchestrator.window-planned';
/** The call is claimed and its request is made; the provider knows nothing of it. */
export const CALL_CLAIMED = 'orchestrator.call-claimed';
/** The provider has answered and billed; the answer is in this process alone. A model is asked again after a death here. */
export const MODEL_ANSWERED = 'orchestrator.model-answered';
/** The answer is kept; what it cost is not on the run's log. */
export const ANSWER_KEPT = 'orchestrator.answer-kept';
/** What the answer cost is on the log; what it says is not. */
export const USAGE_RECORDED = 'orchestrator.usage-recorded';
/** The effect of a node is there, outside; nobody has kept that. It is performed under the same id again, and counts once. */
export const EFFECT_PERFORMED = 'orchestrator.effect-performed';
