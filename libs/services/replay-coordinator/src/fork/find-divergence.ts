import { NODE_STARTED, type RecordedEvent } from '@palimpsest/contracts';
import { readEvents } from '@palimpsest/kernel';
import { STRUCTURED_OUTPUT, workflowStateOf } from '@palimpsest/workflow';
import type { ForkJob } from '../domain/fork-job.js';
import { mockNodesOf, recordedKind, type Divergence } from '../domain/refusal-divergence.js';
import type { ReplayPorts } from '../replay-ports.js';

/** Looks for the first event of a page that the replay's own calls contradict. */
export type FindDivergence = (events: readonly RecordedEvent[]) => Promise<Divergence | undefined>;

/** What the mock's nodes are is found out once, and only where an event may be one of theirs. */
export function divergenceFinder(ports: ReplayPorts, job: ForkJob): FindDivergence {
  let known: Promise<Mocked> | undefined;
  return async (events) => {
    const { mocks } = ports;
    if (!mocks || job.mode !== 'replay') return undefined;
    for (const event of events) {
      const { nodeId } = event;
      const original = recordedKind(event);
      if (original === undefined || nodeId === undefined) continue;
      const { digest, nodes } = await (known ??= mockedIn(ports, job));
      if (!nodes.has(nodeId)) continue;
      const replay = await mocks.askMock({ tenantId: job.tenantId, runId: job.forkRunId, nodeId, digest });
      if (replay !== 'none' && replay !== original) return { event, original, replay };
    }
    return undefined;
  };
}

type Mocked = { readonly digest: string; readonly nodes: ReadonlySet<string> };
const NOTHING: Mocked = { digest: '', nodes: new Set() };

/** Of a run without such nodes nobody is asked anything: its replay hangs on nothing but the log. */
async function mockedIn(ports: ReplayPorts, job: ForkJob): Promise<Mocked> {
  const { tenantId, sourceRunId: runId, target = -1 } = job;
  const range = { tenantId, runId, from: 0, to: target, types: [NODE_STARTED] };
  for await (const { payload } of readEvents(ports.eventLog, range))
    if (payload['typeId'] === STRUCTURED_OUTPUT) return mockedOf(ports, job);
  return NOTHING;
}

async function mockedOf({ eventLog, mocks }: ReplayPorts, job: ForkJob): Promise<Mocked> {
  const header = await eventLog.header(job.tenantId, job.sourceRunId);
  const digest = workflowStateOf(header?.state)?.workflowDigest;
  const version = digest === undefined ? undefined : await mocks?.readWorkflow({ digest });
  return version ? { digest: version.digest, nodes: mockNodesOf(version.definition) } : NOTHING;
}
