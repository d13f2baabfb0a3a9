import type { BadRequest } from './bad-request.js';
import { jsonText } from './json-text.js';
import { requestTo, type Subject } from './subject.js';

const node = (nodeId: string, typeId = 'core.noop', config: object = {}) => ({ nodeId, typeId, config });
const edge = (sourceNodeId: string, targetNodeId: string, more: object = {}) => ({
  sourceNodeId,
  targetNodeId,
  ...more,
});
const variable = (name: string, defaultValue: unknown) => ({ name, type: 'string', defaultValue });

/** Definitions of the right shape that no run can be made of. */
const IMPOSSIBLE: readonly (readonly [string, object])[] = [
  ['an id twice', { nodes: [node('a'), node('a')] }],
  ['an edge from nowhere', { nodes: [node('a')], edges: [edge('b', 'a')] }],
  ['an edge to nowhere', { nodes: [node('a')], edges: [edge('a', 'b')] }],
  ['an edge to its own node', { nodes: [node('a')], edges: [edge('a', 'a')] }],
  ['a circle', { nodes: [node('a'), node('b')], edges: [edge('a', 'b'), edge('b', 'a')] }],
  [
    'an id of an edge twice',
    { nodes: [node('a'), node('b')], edges: [edge('a', 'b', { id: 'e' }), edge('a', 'b', { id: 'e' })] },
  ],
  ['a variable twice', { variables: [variable('v', 'a'), variable('v', 'b')] }],
  ['a default of another type', { variables: [variable('v', 1)] }],
  ['a schema of no type', { configurableSchema: { type: 'nonsense' } }],
  ['a schema of a pattern that is none', { configurableSchema: { properties: { a: { pattern: '(' } } } }],
  ['a schema of properties that are none', { configurableSchema: { properties: 1 } }],
  ['a schema that refers to nothing', { configurableSchema: { $ref: '#/nothing' } }],
  ['a schema that refers elsewhere', { configurableSchema: { $ref: 'http://127.0.0.1:1/schema' } }],
  ['NUL in a text', { description: 'a\u0000' }],
  ['a lone surrogate in a setting', { settings: { '\ud800': 1 } }],
  ['NUL in the metadata', { metadata: { a: ['\u0000'] } }],
  ['NUL in a date', { createdAt: '\u0000' }],
  ['NUL in a level', { settings: { logLevel: '\u0000' } }],
  ['NUL in a trigger', { triggers: [{ id: 'a', type: 'manual', config: { a: '\u0000' } }] }],
  ['a gate of impossible actions', { nodes: [node('a', 'core.approvalGate', { actions: [1] })] }],
  ['a delay of no duration', { nodes: [node('a', 'core.delay', { delayMs: 'soon' })] }],
];

/** To the seam that registers workflows: refused, whether for the shape or for the sense. */
export function badDefinitions(subject: Subject): readonly BadRequest[] {
  return IMPOSSIBLE.map(([label, parts]) => ({
    label,
    refused: true,
    statuses: [400, 422],
    request: requestTo(subject, {
      body: jsonText({ workflowId: 'bad-definition', nodes: [node('a')], ...parts }),
    }),
  }));
}
