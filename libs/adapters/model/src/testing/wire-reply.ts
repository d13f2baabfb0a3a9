import type { ScriptedReply, ScriptedUsage } from '@palimpsest/kernel/testing';
import type { WireRequest } from './wire-request.js';

type WithUsage<Reply> = Reply extends { readonly usage?: ScriptedUsage }
  ? Omit<Reply, 'usage'> & { readonly usage?: ScriptedUsage | 'none' }
  : Reply;

/**
 * What the server does with one request. `usage` is made up from the length of the texts where it is left out;
 * `'none'`: the server reports nothing, which only the OpenAI format allows.
 */
export type WireReply = WithUsage<ScriptedReply>;

type Spoken = Extract<WireReply, { kind: 'text' | 'object' | 'refusal' }>;

/** A reply in words, its usage settled. */
export type SpokenReply = Spoken & { readonly usage: ScriptedUsage | 'none' };

/** A token of prose is about this many characters. */
const CHARS_PER_TOKEN = 4;

export function withUsage(request: WireRequest, reply: Spoken): SpokenReply {
  const sent = request.system.length + request.messages.reduce((sum, { text }) => sum + text.length, 0);
  const usage = reply.usage ?? { input: tokensOf(sent), output: tokensOf(saidBy(reply).length) };
  return { ...reply, usage };
}

function saidBy(reply: Spoken): string {
  return reply.kind === 'object' ? JSON.stringify(reply.value) : (reply.text ?? '');
}

function tokensOf(characters: number): number {
  return Math.ceil(characters / CHARS_PER_TOKEN);
}
