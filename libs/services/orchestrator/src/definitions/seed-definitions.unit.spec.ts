import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@palimpsest/kernel';
import { definitionOf } from '../testing/definitions.js';
import { FIXTURES_DIRECTORY, readDefinitionFiles } from './definition-files.js';
import { MemoryDefinitionStore } from './memory-definition-store.js';
import { seedDefinitions } from './seed-definitions.js';

const FIXTURES = [
  'conformance-approval',
  'conformance-cancellable',
  'conformance-cap-breach',
  'conformance-clarification',
  'conformance-configurable-schema',
  'conformance-context-budget-multiturn',
  'conformance-delay',
  'conformance-dispatch-cancellable-child',
  'conformance-dispatch-cross-worker-child-a',
  'conformance-dispatch-cross-worker-child-b',
  'conformance-dispatch-cross-worker-handoff',
  'conformance-dispatch-deterministic-fail-child',
  'conformance-dispatch-input-mapping',
  'conformance-dispatch-input-mapping-child',
  'conformance-dispatch-input-mapping-no-default',
  'conformance-dispatch-loop',
  'conformance-dispatch-output-mapping',
  'conformance-dispatch-output-mapping-child',
  'conformance-dispatch-per-worker-override',
  'conformance-failure',
  'conformance-idempotent',
  'conformance-identity',
  'conformance-interrupt-external-event',
  'conformance-multi-agent-confidence-escalation',
  'conformance-multi-agent-handoff',
  'conformance-multi-agent-handoff-child',
  'conformance-multi-node',
  'conformance-noop',
  'conformance-orchestrator-dispatch',
  'conformance-orchestrator-low-confidence',
  'conformance-orchestrator-terminate',
  'conformance-run-duration-breach',
  'conformance-version-fold',
];

let folder: string;
let definitions: MemoryDefinitionStore;
let written: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-workflows-'));
  definitions = new MemoryDefinitionStore();
  written = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const file = (name: string, content: unknown) =>
  writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));

function seed(changes: Partial<Parameters<typeof seedDefinitions>[0]> = {}): Promise<void> {
  return seedDefinitions({
    definitions,
    clock: { now: () => new Date() },
    logger: {
      ...silentLogger,
      info: (fields) => void written.push((fields as { workflowId: string }).workflowId),
    },
    workflowsDirectory: folder,
    conformanceFixtures: false,
    hasModel: false,
    hasMock: false,
    hasSideEffects: false,
    ...changes,
  });
}

describe('seeding', () => {
  it('puts every file in force, and writes nothing the next time', async () => {
    await file('b.json', definitionOf('two'));
    await file('a.json', definitionOf('one'));
    await file('notes.txt', 'no definition');
    await seed();
    expect(written).toEqual(['one', 'two']);
    const { digest } = (await definitions.inForce('acme', 'one')) ?? {};
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    await seed();
    expect(written).toHaveLength(2);
  });

  it('knows a definition by what it says, whatever the order of its keys; a change is a new version', async () => {
    const { id, ...rest } = definitionOf('one');
    await file('a.json', { id, ...rest });
    await seed();
    const before = await definitions.inForce('acme', 'one');
    await file('a.json', { ...rest, id });
    await seed();
    expect(written).toEqual(['one']);
    await file('a.json', definitionOf('one', { version: '2' }));
    await seed();
    expect(written).toEqual(['one', 'one']);
    expect((await definitions.inForce('acme', 'one'))?.definition.version).toBe('2');
    expect(await definitions.version(before?.digest ?? '')).toEqual(before);
  });

  it('has the fixtures in force where it is told to, and out of it where it is told no more', async () => {
    await seed({ conformanceFixtures: true });
    expect(await definitions.fixtures()).toEqual(FIXTURES);
    await seed({ conformanceFixtures: true });
    expect(written).toHaveLength(FIXTURES.length);
    await seed();
    expect(await definitions.fixtures()).toEqual([]);
    expect(await definitions.inForce('acme', 'conformance-noop')).toBeUndefined();
  });

  it('has the fixture that only a model can decide where there is one', async () => {
    const live = 'conformance-context-budget-live';
    await seed({ conformanceFixtures: true, hasModel: true });
    expect(await definitions.fixtures()).toEqual([...FIXTURES, live].sort());
    await seed({ conformanceFixtures: true });
    expect(await definitions.fixtures()).toEqual(FIXTURES);
  });

  it('has the fixtures that ask the provider mock where that is served', async () => {
    const asking = ['conformance-phase4-nondet-tool', 'conformance-phase4-replay-divergence'];
    await seed({ conformanceFixtures: true, hasMock: true });
    expect(await definitions.fixtures()).toEqual([...FIXTURES, ...asking].sort());
  });

  it('has the fixture that has an effect outside where that is counted', async () => {
    await seed({ conformanceFixtures: true, hasSideEffects: true });
    expect(await definitions.fixtures()).toEqual([...FIXTURES, 'conformance-replay-side-effect'].sort());
  });

  it('names fixtures by their files', async () => {
    for (const fixture of await readDefinitionFiles(FIXTURES_DIRECTORY))
      expect(fixture.file).toBe(`${fixture.version.definition.id}.json`);
  });

  const node = (id: string, typeId: string) => ({ ...definitionOf('w').nodes[0]!, id, typeId });
  const edge = { id: 'e', sourceNodeId: 'noop', targetNodeId: 'nowhere' };

  it.each<[string, unknown, object]>([
    ['no JSON', '{"id": secret', { file: 'bad.json' }],
    ['no definition', [], { file: 'bad.json', field: '(body)' }],
    ['a wrong id', definitionOf('Upper'), { file: 'bad.json', field: 'id' }],
    [
      'a node without a type',
      { ...definitionOf('w'), nodes: [{ id: 'a' }] },
      { file: 'bad.json', field: 'nodes.0.typeId' },
    ],
    ['an edge to nowhere', definitionOf('w', { edges: [edge] }), { file: 'bad.json' }],
    ['a reserved id', definitionOf('palimpsest-external'), { file: 'bad.json', field: 'id' }],
  ])('stops at a file with %s, and writes nothing', async (_what, content, details) => {
    await file('a.json', definitionOf('one'));
    await file('bad.json', content);
    const refusal = await seed().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'validation_error', details });
    expect((refusal as Error).message).toContain('bad.json');
    expect((refusal as Error).message).not.toContain('secret');
    expect(written).toEqual([]);
  });

  it.each<[string, object, string]>([
    [
      'fields',
      {
        id: 'Upper',
        version: 1,
        nodes: [{ ...definitionOf('w').nodes[0], typeId: undefined, colour: 'red' }],
      },
      '`id` does not fit: a lower-case letter, then letters, digits, "_" and "-", at most 128; ' +
        '`name` is required; `version` must be a string, not number; `nodes.0.typeId` is required; ' +
        '`nodes.0.colour` is not known; `edges` is required; `triggers` is required; ' +
        '`variables` is required; `metadata` is required; `settings` is required.',
    ],
    [
      'meanings',
      definitionOf('w', {
        nodes: [
          { ...node('ask', 'core.clarificationGate'), config: {} },
          { ...node('wait', 'core.delay'), config: { delayMs: -1, maxDelayMs: 'long' } },
        ],
        edges: [{ id: 'e', sourceNodeId: 'ask', targetNodeId: 'wait', condition: { type: 'equals' } }],
      }),
      '`edges.0.condition.right` is missing; `nodes.0.config.questions` is required; ' +
        '`nodes.1.config.delayMs` must be >=0; `nodes.1.config.maxDelayMs` must be a number, not string.',
    ],
  ])('names all %s of a file that are wrong, at once', async (_what, content, expected) => {
    await file('bad.json', content);
    await expect(seed()).rejects.toThrow(`The workflow definition bad.json cannot be used: ${expected}`);
  });

  it('stops at a second file of an id, and at a folder that is not there', async () => {
    await file('a.json', definitionOf('conformance-noop'));
    await expect(seed({ conformanceFixtures: true })).rejects.toThrow('a.json has the same id');
    await expect(seed({ workflowsDirectory: join(folder, 'gone') })).rejects.toThrow('gone');
  });
});
