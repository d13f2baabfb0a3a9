import type { MessageContent, RenderingContent, ReplayFlags, TokenCounterName } from '@palimpsest/contracts';
import { isErased, NotFoundError, type ArtifactStore } from '@palimpsest/kernel';
import { cutMessage, type Measure } from '@palimpsest/transcript';
import type { TranscriptRow } from '../domain/turn.js';
import type { RunKey } from './window-describer.js';

/** Stands for content that was erased. */
export const ERASED_TEXT = '[erased]';

export type CutRequest = RunKey & {
  readonly row: TranscriptRow;
  readonly max: number;
  readonly counter: TokenCounterName;
  /** How the run is derived. */
  readonly flags: ReplayFlags;
};

export type CutContent = {
  /** Undefined where not even the shortest form fits. */
  readonly content: RenderingContent | undefined;
  /** The message was erased: what is cut stands for it, and is not what was cut before. */
  readonly isOfErased: boolean;
};

/** Makes cut renderings from stored messages. The same message, room and flags give the same bytes. */
export class MessageCutter {
  constructor(
    private readonly artifacts: ArtifactStore,
    private readonly measure: Omit<Measure, 'counter'>,
  ) {}

  /** Cuts and stores; undefined where not even the shortest form fits. */
  async cut(request: CutRequest): Promise<{ artifactId: string; tokens: number } | undefined> {
    const { content } = await this.render(request);
    if (!content) return undefined;
    const { tenantId, runId, row, counter } = request;
    const [artifactId] = await this.artifacts.put(tenantId, runId, [
      { type: 'context.rendering', origin: row.artifactId, content, derivedFrom: [row.artifactId] },
    ]);
    return artifactId ? { artifactId, tokens: this.measure.count(content.rendered, counter) } : undefined;
  }

  /** The rendering as `cut` would store it. */
  async render({ tenantId, row, max, counter, flags }: CutRequest): Promise<CutContent> {
    const readings = await this.artifacts.get(tenantId, [row.artifactId]);
    const reading = readings.get(row.artifactId);
    if (!reading) throw new NotFoundError('The content of a message', { artifactId: row.artifactId });
    const isOfErased = isErased(reading);
    const message: MessageContent = isOfErased
      ? { role: row.role, text: ERASED_TEXT }
      : (reading.content as MessageContent);
    const measure = { ...this.measure, counter };
    const content = cutMessage(message, { sequence: row.sequence, max, measure, flags });
    return { content, isOfErased };
  }
}
