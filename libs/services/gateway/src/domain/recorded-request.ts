import { redactJson, redactText } from '@palimpsest/transcript';
import { MAX_TAG, type CreateRunRequest } from './requests.js';
import type { SentObject } from './sent-json.js';

export type RecordedRequest = {
  readonly configurable?: SentObject;
  readonly tags?: string[];
  readonly metadata?: SentObject;
};

/** What a run keeps of its request beside its inputs: no secret that is known as one (host specification §11.1, SR-1). */
export function recordedRequest({
  configurable,
  tags,
  metadata,
}: Pick<CreateRunRequest, 'configurable' | 'tags' | 'metadata'>): RecordedRequest {
  return {
    ...(configurable && { configurable: redactJson(configurable as SentObject) }),
    ...(tags && { tags: tags.map((tag) => redactText(tag, MAX_TAG)) }),
    ...(metadata && { metadata: redactJson(metadata) }),
  };
}
