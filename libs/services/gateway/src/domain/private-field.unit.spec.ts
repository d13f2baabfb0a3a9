import { privateField } from './private-field.js';

const MARK = 'ada@example.org';

/** `value` under as many names as there are. */
const under = (names: readonly string[], value: unknown): unknown =>
  names.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);

it.each<[string | undefined, unknown]>([
  [undefined, undefined],
  [undefined, null],
  [undefined, { taskId: 'T-1', ownedFiles: ['src/agent-runner.ts'] }],
  [undefined, MARK],
  ['taskId', { nodeId: 'ok', taskId: `for ${MARK}` }],
  ['taskId', { taskId: [[MARK]].flat(2).join() }],
  ['ownedFiles.1', { ownedFiles: ['src/agent-runner.ts', '/home/ada/x', 'C:\\x'] }],
  ['record.scope', { record: { role: 'builder', scope: MARK, effort: MARK } }],
  [undefined, { record: { platform_handle: MARK } }],
  ['events.1.id', { events: [{ id: 'a' }, { id: MARK }] }],
  // What is no name of the API's is told neither as a name nor by its place below.
  [undefined, { note: MARK }],
  [undefined, { [MARK]: 1 }],
  [undefined, { api_key: 1 }],
  ['record', { record: { note: { scope: MARK } } }],
  ['record', { record: { [MARK]: 1 } }],
  ['routing', { routing: { session_id: 1 } }],
  ['current', { current: JSON.parse(`{"__proto__":{"x":"${MARK}"}}`) }],
  ['role.role.role.role.role', under(Array(5).fill('role'), MARK)],
  ['role.role.role.role.role.role', under(Array(6).fill('role'), MARK)],
  ['role.role.role.role.role.role', under(Array(7).fill('role'), MARK)],
])('a private value is told to stand at %s', (field, body) => {
  expect(privateField(body)).toBe(field);
});

it('is found where a body is as deep as it may be', () => {
  expect(privateField(under(Array(5000).fill('role'), MARK))).toBe('role.role.role.role.role.role');
});
