/** The fork is allowed and its job is durable; there is no run yet. */
export const JOB_RECORDED = 'replay.job-recorded';
/** The fork's run exists and is empty; its content is not readable through it yet. */
export const FORK_ROW_WRITTEN = 'replay.fork-row-written';
/** The fork reads what its source refers to; nothing is re-emitted yet, and no overlay recorded. */
export const FORK_LINKED = 'replay.fork-linked';
/** A page was read from the source at the fork's head as it was then; another coordinator may append it first. */
export const PAGE_READ = 'replay.page-read';
/** A page is durable with its header; the next is not read yet. */
export const PAGE_WRITTEN = 'replay.page-written';
/** The fork is complete; its job does not say so yet. */
export const FORK_COMPLETE = 'replay.fork-complete';
