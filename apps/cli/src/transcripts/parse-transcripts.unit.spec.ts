import { UsageError } from '../program/cli-error.js';
import { parseTranscripts } from './parse-transcripts.js';

const user = { role: 'user', content: 'Hello' };
const assistant = { role: 'assistant', content: 'Hello to you' };
const json = (value: unknown): string => JSON.stringify(value);
const lines = (...values: unknown[]): string => values.map(json).join('\n');
const shape = (text: string): object[] =>
  parseTranscripts(text, 'chat').conversations.map(({ label, line, messages }) => ({
    label,
    line,
    messages: messages.map(({ message }) => message.role),
  }));

describe('parseTranscripts', () => {
  const one = { label: 'chat', line: 1, messages: ['user', 'assistant'] };

  it.each([
    ['a JSON array of messages', json([user, assistant])],
    ['a JSON array over several lines', JSON.stringify([user, assistant], null, 2)],
    ['an object with messages', json({ messages: [user, assistant] })],
    ['an object with messages and more', json({ model: 'm', messages: [user, assistant] })],
    ['JSON Lines of messages', lines(user, assistant)],
    [
      'JSON Lines with blank lines, CRLF and a byte order mark',
      `\uFEFF${json(user)}\r\n\r\n${json(assistant)}\r\n`,
    ],
  ])('takes %s as one conversation', (_, text) => {
    expect(shape(text)).toEqual([one]);
  });

  it('takes a single message on a single line', () => {
    expect(shape(json(user))).toEqual([{ label: 'chat', line: 1, messages: ['user'] }]);
  });

  it('takes JSON Lines of conversations, with ids, numbers as ids, and without', () => {
    const text = lines({ id: 'first', messages: [user] }, { id: 7, messages: [user] }, { messages: [user] });
    expect(shape(text)).toEqual([
      { label: 'first', line: 1, messages: ['user'] },
      { label: '7', line: 2, messages: ['user'] },
      { label: 'chat:3', line: 3, messages: ['user'] },
    ]);
  });

  it('takes an array of conversations, and lines that are arrays of messages', () => {
    expect(shape(json([{ id: 'a', messages: [user] }, { messages: [user] }]))).toEqual([
      { label: 'a', line: 1, messages: ['user'] },
      { label: 'chat#2', line: 1, messages: ['user'] },
    ]);
    expect(shape(lines([user], [assistant]))).toEqual([
      { label: 'chat:1', line: 1, messages: ['user'] },
      { label: 'chat:2', line: 2, messages: ['assistant'] },
    ]);
  });

  it('knows the line of each message where a line holds one', () => {
    const [conversation] = parseTranscripts(`${json(user)}\n\n${json(assistant)}`, 'chat').conversations;
    expect(conversation?.messages.map(({ place, line }) => [place, line])).toEqual([
      [1, 1],
      [2, 3],
    ]);
  });

  it('reports the bad lines of several conversations and keeps the good ones', () => {
    const text = [
      json({ id: 'a', messages: [user] }),
      '{"id": "b", oops',
      json({ id: 'c' }),
      json(user),
    ].join('\n');
    const parsed = parseTranscripts(text, 'chat');
    expect(parsed.conversations.map(({ label }) => label)).toEqual(['a']);
    expect(parsed.problems).toEqual([
      { label: 'chat:2', line: 2, problem: 'not valid JSON: column 13' },
      { label: 'c', line: 3, problem: 'has no list of messages' },
      { label: 'chat:4', line: 4, problem: 'has no list of messages' },
    ]);
  });

  it.each([
    ['a line that is no JSON', '{"role": "user"', { line: 2, problem: 'not valid JSON: column 16' }],
    ['a line that is no message', '{"content": "x"}', { line: 2, problem: 'not a chat message' }],
    ['a line that is a number', '12', { line: 2, problem: 'not a chat message' }],
  ])('refuses a conversation of one message a line with %s', (_, bad, expected) => {
    const parsed = parseTranscripts(`${json(user)}\n${bad}\n${json(assistant)}`, 'chat');
    expect(parsed).toEqual({ conversations: [], problems: [{ label: 'chat', ...expected }] });
  });

  it.each([
    ['an empty list of messages', { messages: [] }, 'has no messages'],
    ['messages that are no list', { messages: 'all' }, 'has no list of messages'],
    ['a message without a role', { messages: [user, { content: 'x' }] }, 'message 2 is not a chat message'],
    ['a message that is null', { messages: [null] }, 'message 1 is not a chat message'],
  ])('reports %s', (_, value, problem) => {
    expect(parseTranscripts(json(value), 'chat')).toEqual({
      conversations: [],
      problems: [{ label: 'chat', line: 1, problem }],
    });
  });

  it.each([
    ['nothing', '', 'chat is empty'],
    ['blanks', ' \n\n', 'chat is empty'],
    ['a number', '12', 'chat holds no chat messages'],
    ['null', 'null', 'chat holds no chat messages'],
    ['an object of another kind', '{"turns": []}', 'chat holds no chat messages'],
    ['text', 'Hello\nthere', 'chat is not valid JSON: line 1, column 1'],
    ['a list that breaks off', '[\n{"role": "user"},\n', 'chat is not valid JSON: line 2, column 18'],
  ])('refuses %s', (_, text, message) => {
    expect(() => parseTranscripts(text, 'chat')).toThrow(new UsageError(message));
  });

  it('never quotes the file in what it says of it', () => {
    const secret = 'swordfish';
    const texts = [
      `{"role": "user", "content": "${secret}`,
      `${json(user)}\n{"content": "${secret}"`,
      secret,
    ];
    for (const text of texts) {
      let said: string;
      try {
        said = json(parseTranscripts(text, 'chat').problems);
      } catch (error) {
        said = String(error);
      }
      expect(said).not.toContain(secret);
    }
  });
});
