import { handOffUntil, LoopBrain, startWireServer } from '@palimpsest/adapter-model/testing';

const brain = new LoopBrain({
  // Turns 1 and 2 go to the worker, turn 3 ends the loop.
  decide: handOffUntil(3, 'read-logs'),
  // What core.ai.* nodes get; left out, the text "Done.".
  otherwise: ({ objectBy }) =>
    objectBy === undefined ? { kind: 'text', text: 'Fine.' } : { kind: 'object', value: { valid: true } },
});
const server = await startWireServer({ port: Number(process.env.PORT ?? 9090), respond: brain.respond });
console.log(server.baseUrl);
