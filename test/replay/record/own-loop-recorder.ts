import {
  EXTERNAL_WORKFLOW,
  type ContextSettings,
  type MessageContent,
  type ReplayFlags,
} from '@palimpsest/contracts';
import { countAll } from '@palimpsest/tokens';
import { renderMessage } from '@palimpsest/transcript';
import { MemoryHost, TENANT, type HostOptions } from '../memory-host.js';

export type RecordedRun = {
  readonly runId: string;
  readonly context: ContextSettings;
  /** How the run is derived; of an old one none. */
  readonly flags: ReplayFlags;
  readonly host?: HostOptions;
};

/** A caller of the run log and the assembler, as the gateway is, who keeps what was said. */
export class OwnLoopRecorder {
  readonly contents = new Map<string, MessageContent>();
  #said = 0;

  private constructor(
    readonly host: MemoryHost,
    private runId: string,
  ) {}

  static async start({ runId, context, flags, host: options = {} }: RecordedRun): Promise<OwnLoopRecorder> {
    const host = await MemoryHost.start({ ...options, replayFlags: flags });
    const recorder = new OwnLoopRecorder(host, runId);
    await host.runs.createRun({ ...recorder.key, workflowId: EXTERNAL_WORKFLOW, context });
    return recorder;
  }

  async close(): Promise<void> {
    await this.host.close();
  }

  /** Goes on in a branch of the run. */
  async branch(runId: string, fromSeq: number): Promise<void> {
    await this.host.fork({ runId: this.runId, forkRunId: runId, mode: 'branch', fromSeq });
    this.runId = runId;
  }

  async say(...messages: readonly MessageContent[]): Promise<void> {
    for (const content of messages) {
      const { toolCallId, toolCalls = [], role } = content;
      const artifactId = await this.stored(content);
      const toolCallIds = toolCallId === undefined ? toolCalls.map(({ id }) => id) : [toolCallId];
      const counts = countAll(renderMessage(content));
      await this.host.runs.appendMessages({
        ...this.key,
        messages: [{ role, artifactId, toolCallIds, counts, repaired: false }],
      });
    }
  }

  async pin(pinId: string, text: string): Promise<void> {
    const content: MessageContent = { role: 'user', text };
    const artifactId = await this.stored(content);
    const counts = countAll(renderMessage(content));
    await this.host.runs.addPin({ ...this.key, pinId, artifactId, counts, repaired: false });
  }

  async unpin(pinId: string): Promise<void> {
    await this.host.runs.removePin({ ...this.key, pinId });
  }

  async window(): Promise<void> {
    const { head } = await this.host.header(this.runId);
    await this.host.plan(this.runId, { asOfSequence: head });
  }

  async finish(): Promise<void> {
    await this.host.runs.finishRun(this.key);
  }

  private get key(): { tenantId: string; runId: string } {
    return { tenantId: TENANT, runId: this.runId };
  }

  private async stored(content: MessageContent): Promise<string> {
    this.#said += 1;
    const origin = `message:${this.runId}:${this.#said}`;
    const [artifactId = ''] = await this.host.artifacts.put(TENANT, this.runId, [
      { type: 'message', origin, content },
    ]);
    this.contents.set(artifactId, content);
    return artifactId;
  }
}
