import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = import.meta.dirname;
const PORTABLE = ['@palimpsest/contracts', 'eventsource-parser', 'openapi-fetch'];

describe('the client', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.startsWith('testing'),
  );

  it.each(files)('needs nothing in %s that browsers lack', (file) => {
    const text = readFileSync(join(SOURCES, file), 'utf8');
    const packages = [...text.matchAll(/ from '([^.'][^']*)'/g)].map(([, name]) => name);
    expect(packages.filter((name) => !PORTABLE.includes(name ?? ''))).toEqual([]);
    expect(text).not.toMatch(/\b(?:process|Buffer|setImmediate|require)\b[.(]/);
  });
});
