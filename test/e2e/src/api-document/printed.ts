/** In a text: any text of at least one character. As a member or an item: further ones that the document leaves out. */
const OMITTED = '…';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 200) ?? 'nothing';

/**
 * Where an answer is not what the document says, a line each. Members and items have to be the documented ones, no less and
 * no more, unless the document marks that it leaves some out; the order of members is free. Texts, numbers, booleans and
 * null are literal, but for the mark inside a text.
 */
export function differences(documented: unknown, actual: unknown, path = '$'): readonly string[] {
  if (isObject(documented)) {
    return isObject(actual)
      ? memberDifferences(documented, actual, path)
      : [mismatch(documented, actual, path)];
  }
  if (Array.isArray(documented)) {
    return Array.isArray(actual)
      ? itemDifferences(documented, actual, path)
      : [mismatch(documented, actual, path)];
  }
  const same = typeof documented === 'string' ? fitsText(documented, actual) : documented === actual;
  return same ? [] : [mismatch(documented, actual, path)];
}

function mismatch(documented: unknown, actual: unknown, path: string): string {
  return `${path}: ${shown(documented)} is documented, ${shown(actual)} was answered`;
}

function memberDifferences(
  { [OMITTED]: open, ...documented }: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
  path: string,
): readonly string[] {
  const unknown = Object.keys(actual).filter((name) => !Object.hasOwn(documented, name));
  return [
    ...Object.entries(documented).flatMap(([name, value]) =>
      Object.hasOwn(actual, name)
        ? differences(value, actual[name], `${path}.${name}`)
        : [`${path}.${name}: is documented and was not answered`],
    ),
    ...(open === undefined
      ? unknown.map((name) => `${path}.${name}: was answered and is not documented`)
      : []),
  ];
}

function itemDifferences(
  documented: readonly unknown[],
  actual: readonly unknown[],
  path: string,
): readonly string[] {
  const open = documented.at(-1) === OMITTED;
  const items = open ? documented.slice(0, -1) : documented;
  const enough = open ? actual.length >= items.length : actual.length === items.length;
  if (!enough) return [`${path}: ${items.length} items are documented, ${actual.length} were answered`];
  return items.flatMap((item, place) => differences(item, actual[place], `${path}[${place}]`));
}

function fitsText(documented: string, actual: unknown): boolean {
  if (typeof actual !== 'string') return false;
  const literals = documented.split(OMITTED).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${literals.join('[\\s\\S]+')}$`).test(actual);
}

/** The same for lines of text; empty ones do not count, and `data:` lines of an event stream are compared as JSON. */
export function lineDifferences(documented: string, actual: string): readonly string[] {
  return differences(linesOf(documented), linesOf(actual), 'lines');
}

function linesOf(text: string): readonly unknown[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => (line.startsWith('data: ') ? { data: JSON.parse(line.slice('data: '.length)) } : line));
}
