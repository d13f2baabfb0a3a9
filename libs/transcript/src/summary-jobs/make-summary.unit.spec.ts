import type { MessageContent, SummaryJob } from '@palimpsest/contracts';
import type { ArtifactReading, ArtifactStore, SummarizedMessage, SummaryMade } from '@palimpsest/kernel';
import { makeSummary } from './make-summary.js';

const LOOKED_AT = 256 * 1024;
const KEY = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkq\n'.repeat(200)}-----END PRIVATE KEY-----`;

const job: SummaryJob = {
  jobId: 'job',
  tenantId: 'default',
  runId: 'run_1',
  tokenCounter: 'chars',
  maxTokens: 500,
  absorbed: [],
  messages: [{ sequence: 1, artifactId: 'art_a' }],
};

/** The message as the summarizer is given it. */
async function given(content: MessageContent): Promise<SummarizedMessage | undefined> {
  const reading = { type: 'message', createdAt: '', content } as unknown as ArtifactReading;
  const artifacts = { get: () => Promise.resolve(new Map([['art_a', reading]])) } as unknown as ArtifactStore;
  const seen: SummarizedMessage[] = [];
  const summarizer = {
    summarize: (request: { readonly messages: readonly SummarizedMessage[] }): Promise<SummaryMade> => {
      seen.push(...request.messages);
      return Promise.resolve({ summary: undefined, by: 'extractive', invocations: [] });
    },
  };
  const result = await makeSummary(job, { artifacts, summarizer, count: (text) => text.length });
  expect(result.outcome).toBe('refused');
  return seen[0];
}

describe('what a summary is made from', () => {
  it('is the whole of a text that is not too long', async () => {
    const text = 'a'.repeat(LOOKED_AT);
    expect((await given({ role: 'user', text }))?.text).toBe(text);
  });

  it('is both ends of a text, or of arguments, that are very long', async () => {
    const text = `begin ${'a'.repeat(LOOKED_AT)} end`;
    const toolCalls = [{ id: 'c', name: 'f', arguments: text }];
    const message = await given({ role: 'assistant', text, toolCalls });
    for (const part of [message?.text, message?.toolCalls?.[0]?.arguments]) {
      expect(part).toHaveLength(LOOKED_AT + 1);
      expect(part).toMatch(/^begin a+\na+ end$/);
    }
  });

  it('holds no half of a secret that is left out with its beginning', async () => {
    const after = ' end'.padStart(LOOKED_AT / 2 - KEY.length / 2, ' a');
    const text = `${'a '.repeat(LOOKED_AT)}${KEY}${after}`;
    expect(text.slice(-LOOKED_AT / 2).includes('MIIEvQ')).toBe(true);
    expect(text.slice(-LOOKED_AT / 2).includes('BEGIN')).toBe(false);
    const message = await given({ role: 'tool', text, toolCallId: 'c' });
    expect(message?.text.includes('MIIEvQ')).toBe(false);
    expect(message?.text).toMatch(/ end$/);
  });
});
