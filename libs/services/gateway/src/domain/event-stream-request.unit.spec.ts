import { eventStreamRequestOf, isInModes, resumeSequence } from './event-stream-request.js';

describe('a request for a stream', () => {
  it('is for updates, one by one, unless it says otherwise', () => {
    expect(eventStreamRequestOf({})).toEqual({ modes: ['updates'], bufferMs: 0 });
    expect(eventStreamRequestOf({ streamMode: 'debug,messages', bufferMs: '5000' })).toEqual({
      modes: ['debug', 'messages'],
      bufferMs: 5000,
    });
  });

  it.each([
    { streamMode: 'nonsense', bufferMs: '9999' },
    { streamMode: ['debug', 'updates'] },
    { streamMode: 'debug,' },
  ])('is refused for its mode before its buffer: %j', (query) => {
    expect(() => eventStreamRequestOf(query)).toThrow(
      expect.objectContaining({
        code: 'unsupported_stream_mode',
        details: expect.objectContaining({ supported: ['updates', 'values', 'messages', 'debug'] }),
      }),
    );
  });

  it.each([
    [undefined, 10, 0],
    ['0', 10, 1],
    [' 10 ', 10, 11],
    ['11', 10, 11],
    ['3', -1, 0],
    ['0x3', 10, 0],
  ])('resumes behind %p where the head is %p at %p', (id, head, next) => {
    expect(resumeSequence(id, head)).toBe(next);
  });

  it('shows what its modes show, and debug everything', () => {
    const types = [
      'run.started',
      'palimpsest.message.appended',
      'node.started',
      'lease.taken',
      'replay.diverged',
      'ai.message.chunk',
    ];
    const shown = (...modes: Parameters<typeof isInModes>[1]) =>
      types.filter((type) => isInModes(type, modes));
    expect(shown('updates')).toEqual(['run.started']);
    expect(shown('messages')).toEqual(['ai.message.chunk']);
    expect(shown('updates', 'messages')).toHaveLength(2);
    expect(shown('debug')).toEqual(types);
  });
});
