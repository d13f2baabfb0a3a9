import {
  EXTERNAL_WORKFLOW,
  type ContextSettings,
  type MessageContent,
  type MessageDraft,
} from '@palimpsest/contracts';
import { hasCode } from '@palimpsest/kernel';
import { countAll } from '@palimpsest/tokens';
import { renderMessage } from '@palimpsest/transcript';
import { TENANT, type MemoryHost } from '../memory-host.js';
import { textOf } from './texts.js';

/** Sizes are in characters. */
export type Act =
  | { readonly act: 'say'; readonly size: number }
  | { readonly act: 'instruct'; readonly size: number }
  | { readonly act: 'call'; readonly size: number; readonly calls: number }
  /** Answers an open call: the oldest, or the newest. */
  | { readonly act: 'result'; readonly size: number; readonly newest: boolean }
  | { readonly act: 'pin'; readonly size: number }
  | { readonly act: 'unpin'; readonly newest: boolean }
  | { readonly act: 'window' }
  | { readonly act: 'finish' };

/** A loop of a caller's own, spoken to as the gateway does it: content first, then the event that refers to it. */
export class OwnLoopRun {
  #said = 0;
  #open: string[] = [];
  #pins: string[] = [];
  #finished = false;

  private constructor(
    private readonly host: MemoryHost,
    readonly runId: string,
  ) {}

  static async start(host: MemoryHost, runId: string, context: ContextSettings): Promise<OwnLoopRun> {
    await host.runs.createRun({ tenantId: TENANT, runId, workflowId: EXTERNAL_WORKFLOW, context });
    return new OwnLoopRun(host, runId);
  }

  async play(act: Act): Promise<void> {
    if (this.#finished) return;
    switch (act.act) {
      case 'say':
        return this.#append({ role: 'user', text: this.#text(act.size) });
      case 'instruct':
        return this.#append({ role: 'system', text: this.#text(act.size) });
      case 'call':
        return this.#call(act.size, act.calls);
      case 'result':
        return this.#result(act.size, act.newest);
      case 'pin':
        return this.#pin(act.size);
      case 'unpin':
        return this.#unpin(act.newest);
      case 'window':
        return void (await planWindow(this.host, this.runId));
      case 'finish':
        this.#finished = true;
        return void (await this.host.runs.finishRun(this.#key));
    }
  }

  get #key() {
    return { tenantId: TENANT, runId: this.runId };
  }

  #text(size: number): string {
    this.#said += 1;
    return textOf(this.#said, size);
  }

  #call(size: number, calls: number): Promise<void> {
    const text = this.#text(size);
    const toolCalls = Array.from({ length: calls }, (_, index) => {
      const id = `call-${this.#said}-${index}`;
      return { id, name: 'look_up', arguments: JSON.stringify({ id, path: `/srv/${this.#said}/${index}` }) };
    });
    this.#open.push(...toolCalls.map(({ id }) => id));
    return this.#append({ role: 'assistant', text, toolCalls });
  }

  async #result(size: number, newest: boolean): Promise<void> {
    const toolCallId = newest ? this.#open.pop() : this.#open.shift();
    if (toolCallId !== undefined) await this.#append({ role: 'tool', text: this.#text(size), toolCallId });
  }

  /** Without effect where it would leave the turns to keep no room. */
  async #pin(size: number): Promise<void> {
    const content: MessageContent = { role: 'user', text: this.#text(size) };
    const pinId = `pin_${this.#said}`;
    const artifactId = await storedMessage(this.host, this.runId, { content, origin: pinId });
    const counts = countAll(renderMessage(content));
    try {
      await this.host.runs.addPin({ ...this.#key, pinId, artifactId, counts, repaired: false });
      this.#pins.push(pinId);
    } catch (error) {
      if (!hasCode(error, 'context_budget_infeasible')) throw error;
    }
  }

  async #unpin(newest: boolean): Promise<void> {
    const pinId = newest ? this.#pins.pop() : this.#pins.shift();
    if (pinId !== undefined) await this.host.runs.removePin({ ...this.#key, pinId });
  }

  #append(content: MessageContent): Promise<void> {
    return say(this.host, this.runId, { content, origin: `${this.runId}/${this.#said}` });
  }
}

type Said = { readonly content: MessageContent; readonly origin: string };

/** Says something in a run that takes turns. */
export async function say(host: MemoryHost, runId: string, said: Said): Promise<void> {
  const { content } = said;
  const artifactId = await storedMessage(host, runId, said);
  const { role, toolCalls = [], toolCallId } = content;
  const toolCallIds = toolCallId === undefined ? toolCalls.map(({ id }) => id) : [toolCallId];
  const counts = countAll(renderMessage(content));
  const draft: MessageDraft = { role, toolCallIds, artifactId, counts, repaired: false };
  await host.runs.appendMessages({ tenantId: TENANT, runId, messages: [draft] });
}

export async function planWindow(host: MemoryHost, runId: string) {
  const header = await host.log.header(TENANT, runId);
  return host.windows.planWindow({ tenantId: TENANT, runId, asOfSequence: header?.head ?? 0 });
}

async function storedMessage(host: MemoryHost, runId: string, { content, origin }: Said): Promise<string> {
  const [artifactId = ''] = await host.artifacts.put(TENANT, runId, [{ type: 'message', origin, content }]);
  return artifactId;
}
