import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const UNITS = 400_000;

/** Some 400 KB of each kind of text, out of files that every install has, and of transcripts where given. */
export function ordinaryTexts(transcripts: string | undefined): Readonly<Record<string, string>> {
  const typescript = dirname(dirname(createRequire(import.meta.url).resolve('typescript')));
  const notices = readFileSync(join(typescript, 'ThirdPartyNoticeText.txt'), 'utf8');
  return {
    prose: notices.repeat(Math.ceil(UNITS / notices.length)).slice(0, UNITS),
    code: readFileSync(join(typescript, 'lib', 'typescript.js'), 'utf8').slice(1_000_000, 1_000_000 + UNITS),
    JSON: readFileSync(new URL('../../../../package-lock.json', import.meta.url), 'utf8').slice(0, UNITS),
    ...(transcripts !== undefined && { transcripts: transcriptText(transcripts) }),
  };
}

function transcriptText(folder: string): string {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return files.map((name) => readFileSync(join(folder, name), 'utf8').slice(0, UNITS)).join('\n');
}
