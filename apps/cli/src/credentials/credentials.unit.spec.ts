import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nearestCredentials, readCredentials, writeCredentials } from './credentials-file.js';
import { resolveTarget } from './resolve-target.js';

const here = { url: 'http://127.0.0.1:8080', key: 'key-of-the-file' };
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-cli-'));
  file = join(folder, '.palimpsest', 'credentials.json');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the credentials file', () => {
  it('is readable by its owner only, also where it was not before', () => {
    mkdirSync(join(folder, '.palimpsest'));
    writeFileSync(file, '{}', { mode: 0o644 });
    writeCredentials(file, here);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readCredentials(file)).toEqual(here);
  });

  it('is found in a folder and below it', () => {
    writeCredentials(file, here);
    mkdirSync(join(folder, 'a', 'b'), { recursive: true });
    expect(nearestCredentials(folder)).toBe(file);
    expect(nearestCredentials(join(folder, 'a', 'b'))).toBe(file);
  });

  it.each([
    ['no JSON', 'key=abc', 'is not valid JSON'],
    ['no object', 'null', 'holds no url and key'],
    ['no key', '{"url":"http://127.0.0.1:1"}', 'holds no url and key'],
  ])('is refused where it is %s, without a word of it', (_, text, message) => {
    mkdirSync(join(folder, '.palimpsest'));
    writeFileSync(file, text);
    expect(() => readCredentials(file)).toThrow(`${file} ${message}`);
  });

  it('is named where it cannot be read', () => {
    expect(() => readCredentials(file)).toThrow(`cannot read ${file}: ENOENT`);
  });
});

function thrown(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

describe('resolveTarget', () => {
  it('takes options, then the environment, then the file', () => {
    writeCredentials(file, here);
    const environment = { PALIMPSEST_URL: 'http://b:1', PALIMPSEST_API_KEY: 'key-of-the-environment' };
    expect(resolveTarget({ url: 'http://a:1', key: 'k' }, environment, folder)).toEqual({
      url: 'http://a:1',
      key: 'k',
    });
    expect(resolveTarget({}, environment, folder)).toEqual({
      url: 'http://b:1',
      key: 'key-of-the-environment',
    });
    expect(resolveTarget({}, { PALIMPSEST_URL: '', PALIMPSEST_API_KEY: '' }, folder)).toEqual(here);
  });

  it('never sends the key of the file to another server', () => {
    writeCredentials(file, here);
    expect(resolveTarget({ url: 'https://elsewhere.example' }, {}, folder).key).toBeUndefined();
    expect(resolveTarget({ url: `${here.url}/v1/` }, {}, folder)).toEqual(here);
  });

  it('takes a file that is named', () => {
    const named = join(folder, 'other.json');
    writeCredentials(file, here);
    writeCredentials(named, { url: 'http://127.0.0.1:9', key: 'k' });
    expect(resolveTarget({ credentials: named }, {}, folder)).toEqual({
      url: 'http://127.0.0.1:9',
      key: 'k',
    });
  });

  it.each(['{}', 'no JSON'])('advises nobody to remove a file that is named: %s', (text) => {
    const named = join(folder, 'package.json');
    mkdirSync(join(folder, '.palimpsest'));
    for (const path of [named, file]) writeFileSync(path, text);
    const resolving = (credentials?: string) => () =>
      resolveTarget({ ...(credentials !== undefined && { credentials }) }, {}, folder);
    expect(thrown(resolving(named))).toMatchObject({
      exitCode: 2,
      hint: 'Name another file: "palimpsest start" writes .palimpsest/credentials.json.',
    });
    expect(thrown(resolving())).toMatchObject({ hint: 'Remove it; "palimpsest start" writes it anew.' });
  });

  it.each([
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
    ['http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080'],
    ['https://host.example/palimpsest//', 'https://host.example/palimpsest'],
  ])('reads %s as %s', (url, root) => {
    expect(resolveTarget({ url, key: 'k' }, {}, folder).url).toBe(root);
  });

  it.each(['127.0.0.1:8080', 'localhost', 'ftp://host', ''])('refuses the URL "%s"', (url) => {
    expect(() => resolveTarget({ url, key: 'k' }, {}, folder)).toThrow('no http(s) URL');
  });
});
