import { isPalimpsestError, type AskedOfModel, type Logger, type ModelName } from '@palimpsest/kernel';
import { callKey } from './call-key.js';
import type { InvocationKey } from './invocation-store.js';

type Asked = { readonly name: ModelName; readonly request: () => Promise<AskedOfModel> };

/** A kept answer that is taken: whose, and the key of the request that it came of. */
type Taken = InvocationKey & { readonly nodeId: string; readonly kept: string | undefined };

/**
 * Says in the log where a kept answer came of another request than would be made now. The answer stands all the same: what
 * was recorded is what is shown. The keys are hashes of content, by which whoever guesses it could tell that it was said: they
 * are not logged. Where the request cannot be made any more, as its content was erased, nothing is compared.
 */
export async function checkKeptKey(
  { logger }: { readonly logger: Logger },
  { name, request }: Asked,
  { tenantId, runId, nodeId, invocationId, kept }: Taken,
): Promise<void> {
  if (kept === undefined) return;
  const now = await keyNow(name, request);
  if (now === undefined || now === kept) return;
  logger.warn(
    { tenantId, runId, nodeId, invocationId },
    'A model call would ask for something else now than what its kept answer came of; the kept answer stands',
  );
}

async function keyNow(name: ModelName, request: Asked['request']): Promise<string | undefined> {
  try {
    return callKey(name, await request());
  } catch (error) {
    if (!isPalimpsestError(error)) throw error;
    return undefined;
  }
}
