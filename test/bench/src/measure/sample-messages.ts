import type { MessageContent } from '@palimpsest/contracts';

const WORDS =
  'the report says that build seven failed after the cache of region north was cleared so we restored volume data and checked every replica again before noon while two engineers compared the latency of the old gateway with the new one and wrote down what they saw'.split(
    ' ',
  );

/** The same texts for everybody: about 60 tokens each, user and assistant in turns, numbers and paths among words. */
export function sampleMessage(place: number): MessageContent {
  const words = Array.from(
    { length: 44 },
    (_, index) => WORDS[(place * 31 + index * (7 + (place % 5))) % WORDS.length],
  );
  const text = `Step ${place}: ${words.join(' ')}; see logs/run-${place}.txt.`;
  return { role: place % 2 === 0 ? 'user' : 'assistant', text };
}
