const ENCODED = '-gzip"';

/**
 * Whether an `If-None-Match` header holds the tag (RFC 9110 §13.1.2), by the weak comparison that it asks for.
 * `*` matches whatever there is.
 */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return tagsIn(header).some((each) => opaque(each) === opaque(tag));
}

/** A strong tag stands for exact bytes: the compressed ones have their own. */
export function encodedTag(tag: string): string {
  return tag.startsWith('"') ? tag.replace(/"$/, ENCODED) : tag;
}

/** An `If-None-Match` header in the tags of answers as they are before they are compressed. */
export function plainTags(header: string): string {
  return header.replaceAll(ENCODED, '"');
}

function tagsIn(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '');
}
