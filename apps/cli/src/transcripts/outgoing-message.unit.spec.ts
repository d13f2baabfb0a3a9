import { outgoingMessage } from './outgoing-message.js';

describe('outgoingMessage', () => {
  it('leaves out what a dump adds without saying anything', () => {
    const message = { role: 'assistant', content: 'Hi', audio: null, annotations: [], function_call: null };
    expect(outgoingMessage({ message, place: 1 })).toEqual({ role: 'assistant', content: 'Hi' });
  });

  it('keeps what a chat message has, empty or not, and what the server must judge', () => {
    const message = { role: 'assistant', content: null, tool_calls: [], function_call: { name: 'look' } };
    expect(outgoingMessage({ message, place: 1 })).toEqual(message);
  });
});
