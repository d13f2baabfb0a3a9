import {
  CERTIFICATE_FORMAT,
  type Certificate,
  type CertifiedArtifact,
  type CertifiedRun,
  type RecordedEvent,
  type RunHeader,
  type RunQuery,
} from '@palimpsest/contracts';
import {
  canonicalJson,
  certificateStatement,
  isErased,
  namedArtifacts,
  NotFoundError,
  ValidationError,
  type ArtifactStore,
  type ChainHash,
  type EventLog,
} from '@palimpsest/kernel';
import { readEvents } from '../read-events.js';

export type CertificatePorts = {
  readonly eventLog: EventLog;
  readonly artifacts: Pick<ArtifactStore, 'getForRun'>;
  readonly hash: ChainHash;
  readonly hostKey: { readonly keyId: string; readonly sign: (said: Uint8Array) => string };
};

/**
 * What proves a run without its server: its events up to the head as of now with their links, what its chain begins with,
 * the hashes of all that the events name, and the host's signature. Content is not in it.
 */
export async function issueCertificate(ports: CertificatePorts, query: RunQuery): Promise<Certificate> {
  const header = await headerOf(ports, query);
  const { link } = header;
  if (link === undefined)
    throw new ValidationError('The run is older than the chains of the log.', { runId: query.runId });
  const events = await chainedEvents(ports, header);
  const unsigned = {
    format: CERTIFICATE_FORMAT,
    run: certified(header),
    ancestors: await ancestorsOf(ports, header),
    link,
    events,
    artifacts: await artifactsOf(ports, query, namedArtifacts(events)),
  } as const;
  const { keyId, sign } = ports.hostKey;
  const value = sign(certificateStatement(ports.hash, unsigned));
  return { ...unsigned, signature: { algorithm: 'Ed25519', keyId, value } };
}

async function headerOf({ eventLog }: CertificatePorts, { tenantId, runId }: RunQuery): Promise<RunHeader> {
  const header = await eventLog.header(tenantId, runId);
  if (!header) throw new NotFoundError('The run', { runId });
  return header;
}

type ChainedEvent = RecordedEvent & Required<Pick<RecordedEvent, 'chain'>>;

async function chainedEvents({ eventLog }: CertificatePorts, header: RunHeader): Promise<ChainedEvent[]> {
  const { tenantId, runId, head } = header;
  const events: ChainedEvent[] = [];
  for await (const event of readEvents(eventLog, { tenantId, runId, from: 0, to: head, withChain: true })) {
    const { chain } = event;
    if (!chain)
      throw new ValidationError('An event of the run is in no chain.', { sequence: event.sequence });
    events.push({ ...event, chain });
  }
  return events;
}

async function ancestorsOf(ports: CertificatePorts, run: RunHeader): Promise<CertifiedRun[]> {
  const ancestors: CertifiedRun[] = [];
  let { origin } = run;
  while (origin && origin.fromSequence > 0) {
    const header = await headerOf(ports, { tenantId: run.tenantId, runId: origin.runId });
    ancestors.push(certified(header));
    origin = header.origin;
  }
  return ancestors;
}

function certified({ tenantId, runId, createdAt, origin }: RunHeader): CertifiedRun {
  return { tenantId, runId, createdAt, ...(origin && { origin }) };
}

async function artifactsOf(
  { artifacts, hash }: CertificatePorts,
  { tenantId, runId }: RunQuery,
  ids: readonly string[],
): Promise<CertifiedArtifact[]> {
  const listed: CertifiedArtifact[] = [];
  for (const artifactId of ids) {
    const reading = await artifacts.getForRun(tenantId, runId, artifactId);
    const sha256 = reading && !isErased(reading) ? hash.sha256Hex(canonicalJson(reading.content)) : null;
    listed.push({ artifactId, sha256 });
  }
  return listed;
}
