import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chatMessageSchema, type MessageContent } from '@palimpsest/contracts';
import { normaliseMessage } from '@palimpsest/transcript';

/** Keys that a transcript may carry beside a chat message's own. */
const MESSAGE_KEYS = ['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'refusal'];

/** The sessions of every `.jsonl` file of a folder, one `{ messages }` object a line, as the store would keep them. */
export function readTranscripts(folder: string): MessageContent[][] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return files.sort().flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => (JSON.parse(line) as { messages: object[] }).messages.map(messageOf)),
  );
}

function messageOf(raw: object): MessageContent {
  const fields = Object.entries(raw).filter(([key]) => MESSAGE_KEYS.includes(key));
  const message = Object.fromEntries(fields);
  if (message['role'] === 'tool') delete message['name'];
  return normaliseMessage(chatMessageSchema.parse(message)).content;
}
