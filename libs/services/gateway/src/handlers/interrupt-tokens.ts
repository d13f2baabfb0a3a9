import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { tokenParts, tokenPayloadSchema, type TokenPayload } from '../domain/interrupt-token.js';
import { parseRequest } from '../domain/parse-request.js';
import { pathIdSchema } from '../domain/requests.js';
import { InterruptNotFoundError } from '@palimpsest/workflow';
import { GATEWAY_DATABASE } from '../gateway-options.js';
import { keepSigningSecret } from '../store/signing-secret.js';
import type { GatewayTables } from '../store/tables.js';

const SECRET_NAME = 'interrupt-tokens';

/** Tokens that stand for an answer to one interrupt (host specification §3.5), signed with the deployment's secret. */
@Injectable()
export class InterruptTokens {
  private secret: Promise<Buffer> | undefined;

  constructor(@Inject(GATEWAY_DATABASE) private readonly db: Kysely<GatewayTables>) {}

  async sign(payload: TokenPayload): Promise<string> {
    const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
    return `${text}.${(await this.signatureOf(text)).toString('base64url')}`;
  }

  /**
   * What a token of this host says, expired or not.
   * @throws InterruptNotFoundError where it is none of ours, whatever it looks like
   */
  async read(token: string): Promise<TokenPayload> {
    const parts = tokenParts(parseRequest(pathIdSchema, token, 'token'));
    if (!parts) throw new InterruptNotFoundError();
    const expected = await this.signatureOf(parts.payload);
    const given = Buffer.from(parts.signature, 'base64url');
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      throw new InterruptNotFoundError();
    return tokenPayloadSchema.parse(JSON.parse(Buffer.from(parts.payload, 'base64url').toString()));
  }

  private async signatureOf(text: string): Promise<Buffer> {
    return createHmac('sha256', await this.deploymentSecret())
      .update(text)
      .digest();
  }

  /** Asked for once; a database that was away is asked again. */
  private deploymentSecret(): Promise<Buffer> {
    this.secret ??= keepSigningSecret(this.db, SECRET_NAME, randomBytes(32)).catch((error: unknown) => {
      this.secret = undefined;
      throw error;
    });
    return this.secret;
  }
}
