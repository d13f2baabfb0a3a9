import {
  appendTurnsRequestSchema,
  createRunRequestSchema,
  forkRunRequestSchema,
  parseAppendTurns,
} from './requests.js';
import { parseRequest } from './parse-request.js';

function problem(schema: Parameters<typeof parseRequest>[0], value: unknown) {
  try {
    parseRequest(schema, value);
  } catch (error) {
    return error as { message: string; details: { field: string } };
  }
  return undefined;
}

const turns = (message: unknown) => problem(appendTurnsRequestSchema, { messages: [message] });

describe('what is wrong with a request', () => {
  it.each([
    [{ role: 'wizard', content: 'x' }, 'messages.0.role'],
    [{ role: 'user', content: 7 }, 'messages.0.content'],
    [{ role: 'user', content: [{ type: 'text', text: 7 }] }, 'messages.0.content.0.type'],
    [{ role: 'tool', content: 'x' }, 'messages.0.tool_call_id'],
    [
      { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'f' } }] },
      'messages.0.tool_calls.0.function.arguments',
    ],
    [{ role: 'user', content: 'x', colour: 'red' }, 'messages.0.colour'],
  ])('is named by its path: %j', (message, field) => {
    expect(turns(message)?.details.field).toBe(field);
  });

  it('is said in words that help', () => {
    expect(turns({ role: 'wizard', content: 'x' })?.message).toMatch(/system.*user.*assistant.*tool/);
    expect(turns({ role: 'user', content: 'x', colour: 'red' })?.message).toContain('colour');
    expect(problem(forkRunRequestSchema, { mode: 'branch' })?.message).toBe(
      'fromSeq: is required for a branch',
    );
    expect(problem(createRunRequestSchema, undefined)?.message).toMatch(/^The body: /);
  });

  it('is the first thing wrong: what comes after is not looked at', () => {
    let looked = 0;
    const messages = Array.from({ length: 5 }, () => ({
      get role() {
        looked += 1;
        return 'wizard';
      },
    }));
    expect(() => parseAppendTurns({ messages: [{ role: 'user', content: 'x' }, ...messages] })).toThrow(
      expect.objectContaining({ details: { field: 'messages.1.role' } }),
    );
    expect(looked).toBeGreaterThan(0);
    expect(looked).toBeLessThan(5);
  });

  it('never quotes what was sent', () => {
    const secret = 'sk-hunter2';
    for (const message of [
      secret,
      { role: secret },
      { role: 'user', content: [{ type: 'text', text: { secret } }] },
    ]) {
      expect(JSON.stringify([turns(message)?.message, turns(message)?.details])).not.toContain(secret);
    }
  });

  it('shows a key of the caller’s in part, and well-formed', () => {
    const key = `\ud800\u0000${'k'.repeat(500)}`;
    const error = problem(createRunRequestSchema, { workflowId: 'w', metadata: { [key]: () => 1 } });
    expect(error?.details.field.isWellFormed()).toBe(true);
    expect(error?.details.field.length).toBeLessThan(100);
  });
});
