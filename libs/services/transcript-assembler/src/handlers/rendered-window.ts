import type {
  MessageContent,
  RenderingContent,
  SummaryContent,
  TokenCounterName,
  WindowEntry,
} from '@palimpsest/contracts';
import { isErased, type ArtifactReading, type ArtifactStore, type CountTokens } from '@palimpsest/kernel';
import { renderMessage, renderSummary } from '@palimpsest/transcript';

/** The text of an entry as it is counted. */
export function renderedText(entry: WindowEntry, content: unknown): string {
  if (entry.form === 'elided') return '';
  if (entry.kind === 'summary') return renderSummary((content as SummaryContent).text);
  if (entry.form === 'cut') return (content as RenderingContent).rendered;
  return renderMessage(content as MessageContent);
}

export type RenderedEntry =
  { readonly text: string; readonly tokens: number } | { readonly unreadable: 'missing' | 'erased' };

/** Renders entries again and counts them, reading every artifact once over the life of the instance. */
export class EntryRenderer {
  readonly #rendered = new Map<string, RenderedEntry>();

  constructor(
    private readonly artifacts: ArtifactStore,
    private readonly count: CountTokens,
    private readonly run: { readonly tenantId: string; readonly counter: TokenCounterName },
  ) {}

  /** Artifacts read so far. */
  get read(): Iterable<string> {
    return this.#rendered.keys();
  }

  async render(entries: readonly WindowEntry[]): Promise<RenderedEntry[]> {
    const missing = entries.filter(
      (entry) => entry.form !== 'elided' && !this.#rendered.has(entry.artifactId),
    );
    const readings = await this.artifacts.get(this.run.tenantId, [
      ...new Set(missing.map((entry) => entry.artifactId)),
    ]);
    for (const entry of missing)
      this.#rendered.set(entry.artifactId, this.one(entry, readings.get(entry.artifactId)));
    return entries.map((entry) =>
      entry.form === 'elided'
        ? { text: '', tokens: 0 }
        : (this.#rendered.get(entry.artifactId) ?? { unreadable: 'missing' }),
    );
  }

  private one(entry: WindowEntry, reading: ArtifactReading | undefined): RenderedEntry {
    if (!reading) return { unreadable: 'missing' };
    if (isErased(reading)) return { unreadable: 'erased' };
    const text = renderedText(entry, reading.content);
    return { text, tokens: this.count(text, this.run.counter) };
  }
}
