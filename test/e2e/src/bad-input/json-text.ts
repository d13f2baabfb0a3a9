import { isFields, type Fields } from './json-schema.js';

/** Stands for JSON text that no JavaScript value is written as, like `1e400`. */
export class Literal {
  constructor(readonly text: string) {}
}

const MARK = /"\uE000literal (\d+)\uE000"/g;

/** JSON with its literals as they are. Own `__proto__` keys and lone surrogates are written, too. */
export function jsonText(value: unknown): string {
  const literals: string[] = [];
  const text = JSON.stringify(value, (_key, each: unknown) =>
    each instanceof Literal ? `\uE000literal ${literals.push(each.text) - 1}\uE000` : each,
  );
  return text.replaceAll(MARK, (_whole, index: string) => literals[Number(index)] ?? '');
}

export type Path = readonly (string | number)[];

/** A copy with another value at a path; what is not there on the way becomes an object or a list. */
export function withValue(value: unknown, path: Path, replacement: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return replacement;
  if (typeof step === 'number') {
    const list: unknown[] = Array.isArray(value) ? [...(value as unknown[])] : [];
    list[step] = withValue(list[step], rest, replacement);
    return list;
  }
  const fields: Fields = isFields(value) ? value : {};
  const inner: unknown = Object.hasOwn(fields, step) ? fields[step] : undefined;
  return Object.fromEntries([
    ...Object.entries(fields).filter(([name]) => name !== step),
    [step, withValue(inner, rest, replacement)],
  ]);
}

/** A copy without the field at a path. */
export function withoutField(value: unknown, path: Path, name: string): unknown {
  const fields = Object.fromEntries(
    Object.entries(valueAt(value, path) as Fields).filter(([each]) => each !== name),
  );
  return withValue(value, path, fields);
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, step) => {
    if (typeof step === 'number') return Array.isArray(inner) ? (inner as unknown[])[step] : undefined;
    return isFields(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined;
  }, value);
}
