import { classifyValue } from '../facts/classify-value.js';

/** What the label of a record's figure names: `AX-17 weight` is the weight of AX-17. */
export type RecordLabel = { readonly record: string; readonly key: string };

/** The parts of a label that begins with an identifier; undefined for any other. */
export function recordLabel(label: string): RecordLabel | undefined {
  const blank = label.indexOf(' ');
  const record = label.slice(0, blank);
  if (blank < 3 || !/\d/.test(record) || classifyValue(record) !== 'identifier') return undefined;
  return { record, key: label.slice(blank + 1) };
}

/** The key that a label ends with: `weight` of `AX-17 weight` and of `box.weight`. */
export function lastKey(label: string): string {
  return label.slice(Math.max(label.lastIndexOf('.'), label.lastIndexOf(' ')) + 1);
}
