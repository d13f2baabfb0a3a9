import { judged } from '../testing/judged.js';

const result = (input: unknown): unknown => judged('result-policy', { input });
const writes = (handoff: boolean, artifact: boolean, others: object = {}): object => ({
  handoff,
  artifact,
  vault: false,
  settings: false,
  workgroup: false,
  ...others,
});

describe('result-policy (§9)', () => {
  it.each([
    ['nothing', {}, 'ephemeral', writes(false, false)],
    ['ephemeral', { requested_mode: 'ephemeral' }, 'ephemeral', writes(false, false)],
    ['durable', { requested_mode: 'durable' }, 'durable', writes(true, false)],
    ['an artifact', { requested_mode: 'artifact' }, 'artifact', writes(false, true)],
    ['a null mode', { requested_mode: null }, 'ephemeral', writes(false, false)],
    ...['material', 'writer', 'partial', 'resumable', 'crosses_phase'].flatMap(
      (name) =>
        [
          [name, { [name]: true }, 'durable', writes(true, false)],
          [
            `${name}, ephemeral`,
            { [name]: true, requested_mode: 'ephemeral' },
            'durable',
            writes(true, false),
          ],
          [`${name}, artifact`, { [name]: true, requested_mode: 'artifact' }, 'artifact', writes(true, true)],
          [`${name} by a text`, { [name]: 'true' }, 'ephemeral', writes(false, false)],
          [`${name} by 1`, { [name]: 1 }, 'ephemeral', writes(false, false)],
        ] as [string, object, string, object][],
    ),
    ['a large output', { large_raw_output: true }, 'artifact', writes(false, true)],
    [
      'a large output, ephemeral',
      { large_raw_output: true, requested_mode: 'ephemeral' },
      'artifact',
      writes(false, true),
    ],
    [
      'a large output, durable',
      { large_raw_output: true, requested_mode: 'durable' },
      'artifact',
      writes(true, true),
    ],
    ['a large output of a writer', { large_raw_output: true, writer: true }, 'artifact', writes(true, true)],
  ] as [string, object, string, object][])('%s', (_, input, mode, expected) =>
    expect(result(input)).toEqual({ mode, write_prohibited: false, writes: expected }),
  );

  it.each([
    ['vault', { authorize_vault_write: true }],
    ['settings', { authorize_settings_write: true }],
    ['workgroup', { authorize_workgroup_write: true }],
  ])('writes %s by its own authorization in every mode', (name, authorized) => {
    for (const requested_mode of ['ephemeral', 'durable', 'artifact']) {
      expect(result({ ...authorized, requested_mode })).toMatchObject({ writes: { [name]: true } });
    }
    const said = Object.fromEntries(Object.keys(authorized).map((key) => [key, 'true']));
    expect(result(said)).toMatchObject({ writes: { [name]: false } });
  });

  it('writes nothing under a prohibition, and complains of nothing', () => {
    const everything = {
      write_prohibited: true,
      material: true,
      large_raw_output: true,
      requested_mode: 'artifact',
      authorize_handoff: false,
      authorize_artifact: false,
      authorize_vault_write: true,
      authorize_settings_write: true,
      authorize_workgroup_write: true,
    };
    expect(result(everything)).toEqual({
      mode: 'ephemeral',
      write_prohibited: true,
      writes: writes(false, false),
    });
    expect(result({ write_prohibited: 'true', material: true })).toMatchObject({ mode: 'durable' });
  });

  it.each([
    ['a handoff that is needed', { writer: true, authorize_handoff: false }, 'RESULT_HANDOFF_NOT_AUTHORIZED'],
    [
      'a handoff that is asked for',
      { requested_mode: 'durable', authorize_handoff: false },
      'RESULT_HANDOFF_NOT_AUTHORIZED',
    ],
    ['an artifact', { large_raw_output: true, authorize_artifact: false }, 'RESULT_ARTIFACT_NOT_AUTHORIZED'],
    [
      'the handoff first',
      { large_raw_output: true, material: true, authorize_artifact: false, authorize_handoff: false },
      'RESULT_HANDOFF_NOT_AUTHORIZED',
    ],
    ['an unknown mode', { requested_mode: 'Durable' }, 'INVALID_REQUEST'],
    ['an empty mode', { requested_mode: '' }, 'INVALID_REQUEST'],
    [
      'an unknown mode under a prohibition',
      { requested_mode: 'x', write_prohibited: true },
      'INVALID_REQUEST',
    ],
    ['no object', null, 'INVALID_REQUEST'],
  ])('refuses %s', (_, input, code) => expect(result(input)).toBe(code));

  it('does not mind a denial of what is not needed, nor one in other words', () => {
    expect(result({ authorize_handoff: false, authorize_artifact: false })).toMatchObject({
      mode: 'ephemeral',
    });
    expect(result({ material: true, authorize_handoff: 'false' })).toMatchObject({ mode: 'durable' });
    expect(result({ material: true, authorize_handoff: null })).toMatchObject({ mode: 'durable' });
    expect(result({ requested_mode: 'artifact', authorize_handoff: false })).toMatchObject({
      mode: 'artifact',
    });
  });
});
