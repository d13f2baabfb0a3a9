/** A block that is run, and what it has to print. */
export type Example = {
  /** Where it stands in the document, from 1. */
  readonly line: number;
  readonly script: string;
  readonly printed?: { readonly kind: 'json' | 'text'; readonly text: string };
};

/** What the document says of one operation. */
export type DocumentedOperation = {
  readonly method: string;
  /** With `{name}` for each parameter, as in OpenAPI. */
  readonly path: string;
  readonly scopes: readonly string[];
  /** From its heading to the next, blocks included. */
  readonly text: string;
};

type Fence = { readonly kind: string; readonly line: number; readonly text: string };

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;
const OPERATION = /^\*\*`(GET|POST|DELETE) (\S+)`\*\* · (.*)$/m;

/** Every `sh` block in order; a `json` or `text` block before the next one is what it prints. */
export function examplesOf(markdown: string): readonly Example[] {
  const fences = fencesOf(markdown);
  return fences.flatMap(({ kind, line, text }, place) => {
    if (kind !== 'sh') return [];
    const next = fences[place + 1];
    const printed = isPrinted(next) ? { printed: { kind: next.kind, text: next.text } } : {};
    return [{ line, script: text, ...printed }];
  });
}

function isPrinted(fence: Fence | undefined): fence is Fence & { readonly kind: 'json' | 'text' } {
  return fence?.kind === 'json' || fence?.kind === 'text';
}

function fencesOf(markdown: string): readonly Fence[] {
  return [...markdown.matchAll(FENCE)].map(({ index, 1: kind = '', 2: text = '' }) => ({
    kind,
    line: markdown.slice(0, index).split('\n').length,
    text,
  }));
}

/** Sections whose heading is followed by a line like "**`GET /v1/runs`** · scope `runs:read`". */
export function documentedOperations(markdown: string): readonly DocumentedOperation[] {
  return markdown.split(/^(?=#{1,3} )/m).flatMap((text) => {
    const [, method, path, access] = OPERATION.exec(text) ?? [];
    if (method === undefined || path === undefined || access === undefined) return [];
    return [{ method, path, scopes: codeWords(access), text }];
  });
}

/** What stands between backticks, in order. */
export function codeWords(text: string): readonly string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, word = '']) => word);
}

/** The paragraph that begins with "Errors of its own:"; empty where there is none. */
export function ownErrorsOf({ text }: DocumentedOperation): readonly string[] {
  const paragraph = text.split('\n\n').find((each) => each.startsWith('Errors of its own: '));
  return codeWords(paragraph ?? '');
}

/** Rows of the table of codes: `| \`code\` | status | …`. */
export function errorTableOf(markdown: string): Readonly<Record<string, number>> {
  const rows = markdown.matchAll(/^\| `([a-z_]+)` +\| (\d{3}) +\|/gm);
  return Object.fromEntries([...rows].map(([, code = '', status]) => [code, Number(status)]));
}
