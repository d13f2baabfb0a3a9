import { wakeRunSubject } from '@palimpsest/contracts';
import type { RunKey } from '../orchestrator-ports.js';
import { liveRunOf } from '../runs/workflow-run.js';
import type { InvocationPorts } from './invocation-ports.js';

/** How often a call under way is looked after: its claim is renewed, and a lost word of the run's end made up for. */
export const LOOK_MS = 10_000;
/** The longest that a timer of the platform can be set to. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export type Call = {
  readonly run: RunKey;
  /** When the answer is of no use any more, like at the run's bound of duration. */
  readonly until?: Date | undefined;
  /** False where the call is somebody else's by now. */
  readonly renew: () => Promise<boolean>;
};

/**
 * Does the work with a signal that is aborted as soon as nobody wants its result: the run has ended or is being
 * cancelled, its time is over, the call is somebody else's, or the process ends.
 */
export async function whileWanted<Result>(
  ports: InvocationPorts,
  call: Call,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const unwanted = new AbortController();
  const abort = () => unwanted.abort();
  const look = async () => {
    if (!(await isWanted(ports, call.run))) abort();
  };
  // What a look could not find out, the next one may.
  const lookSoon = () => void look().catch(() => undefined);
  const ears = await ports.bus.listen(wakeRunSubject(call.run.tenantId, call.run.runId), lookSoon);
  const ticks = setInterval(() => {
    lookSoon();
    void call.renew().then(
      (mine) => void (mine || abort()),
      () => undefined,
    );
  }, LOOK_MS);
  const deadline = call.until && setTimeout(abort, untilMs(ports, call.until));
  ports.stopping.addEventListener('abort', abort);
  try {
    if (ports.stopping.aborted) abort();
    // The run may have ended before anybody listened.
    await look();
    return await work(unwanted.signal);
  } finally {
    ports.stopping.removeEventListener('abort', abort);
    clearInterval(ticks);
    clearTimeout(deadline);
    await ears.close();
  }
}

async function isWanted({ eventLog }: InvocationPorts, { tenantId, runId }: RunKey): Promise<boolean> {
  const run = liveRunOf(await eventLog.header(tenantId, runId));
  return run !== undefined && !run.state.cancelling && !run.state.failing;
}

/** One millisecond after it: a bound is exceeded, not reached. */
function untilMs({ clock }: InvocationPorts, until: Date): number {
  const milliseconds = until.getTime() - clock.now().getTime() + 1;
  return Math.min(Math.max(0, milliseconds), LONGEST_TIMER_MS);
}
