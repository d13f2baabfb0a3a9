import type { KeptLetter } from '../ports/message-bus.js';
import { reviveMessage } from './revive-message.js';

const letter: KeptLetter = {
  id: 'job-1',
  stream: 'WORK',
  durable: 'reader',
  subject: 'work.x',
  body: { jobId: 'job-1' },
  attempts: 5,
  code: 'internal_error',
  place: '17',
  buriedAt: new Date(0),
};

describe('a message that was dead', () => {
  it('has an id that is a function of its letter, and does not grow', () => {
    expect(reviveMessage(letter)).toEqual({ id: 'job-1~17', subject: 'work.x', body: { jobId: 'job-1' } });
    expect(reviveMessage({ ...letter, id: 'job-1~17', place: '23' }).id).toBe('job-1~23');
  });

  it('is not sent without its body', () => {
    const without: KeptLetter = { ...letter, body: null, bodyOmitted: true };
    expect(() => reviveMessage(without)).toThrow(expect.objectContaining({ code: 'validation_error' }));
  });
});
