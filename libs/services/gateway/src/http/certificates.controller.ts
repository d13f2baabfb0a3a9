import { Controller, Inject, Param, StreamableFile } from '@nestjs/common';
import { CERTIFICATE_MEDIA_TYPE } from '@palimpsest/contracts';
import { Certificates } from '../handlers/certificates.js';
import { RunAccess } from '../handlers/run-access.js';
import { HOST_KEY, type HostKey } from '../ports.js';
import { Exchange } from './exchange.decorator.js';
import { Operation } from './operation.decorator.js';
import { endWhereStalled } from './stalled-connection.js';

/** Longest that a client may leave a certificate untaken, in milliseconds. */
const STALLED_MS = 60_000;

@Controller()
export class CertificatesController {
  constructor(
    @Inject(RunAccess) private readonly runs: RunAccess,
    @Inject(Certificates) private readonly certificates: Certificates,
    @Inject(HOST_KEY) private readonly hostKey: HostKey | null,
  ) {}

  @Operation('readCertificate')
  async read(
    @Exchange() { request, reply, tenantId }: Exchange,
    @Param('runId') runId: string,
  ): Promise<StreamableFile | undefined> {
    const asked = this.certificates.asked(await this.runs.header(tenantId, runId));
    reply.header('cache-control', 'no-store').type(CERTIFICATE_MEDIA_TYPE);
    if (request.method === 'HEAD') return undefined;
    const certificate = await this.certificates.open(asked);
    endWhereStalled(reply, STALLED_MS);
    return new StreamableFile(certificate);
  }

  /** Beside a certificate this proves nothing: whoever forges one forges both. It is fetched once, and kept. */
  @Operation('readHostKeys')
  keys(): object {
    const { hostKey } = this;
    if (!hostKey) return { keys: [] };
    return { keys: [{ keyId: hostKey.keyId, algorithm: 'Ed25519', publicKey: hostKey.publicKey }] };
  }
}
