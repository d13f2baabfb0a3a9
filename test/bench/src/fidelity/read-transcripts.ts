import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chatMessageSchema, type MessageContent } from '@palimpsest/contracts';
import { normaliseMessage } from '@palimpsest/transcript';
import { z } from 'zod';

const sessionSchema = z.looseObject({ messages: z.array(z.unknown()) });

/** Keys that a transcript may carry beside a chat message's own. */
const MESSAGE_KEYS = ['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'refusal'];

/** The sessions of every `.jsonl` file of a folder, one `{ messages }` object a line, as the store would keep them. */
export function readTranscripts(folder: string): MessageContent[][] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return files.sort().flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => sessionSchema.parse(JSON.parse(line)).messages.map(messageOf)),
  );
}

function messageOf(raw: unknown): MessageContent {
  const fields = Object.entries(raw as object).filter(([key]) => MESSAGE_KEYS.includes(key));
  const message = Object.fromEntries(fields);
  if (message['role'] === 'tool') delete message['name'];
  return normaliseMessage(chatMessageSchema.parse(message)).content;
}
