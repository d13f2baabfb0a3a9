import { encodedTag, matchesTag, plainTags } from './entity-tag.js';

describe('an entity tag', () => {
  it.each(['"a"', 'W/"a"', '"b", "a"', '"b","a"', '*', ' * '])('is matched by %p', (header) =>
    expect(matchesTag(header, '"a"')).toBe(true),
  );
  it.each([undefined, '', 'a', '"b"', '"A"', '"a', '"aa"', '"b, a"'])('is not matched by %p', (header) =>
    expect(matchesTag(header, '"a"')).toBe(false),
  );

  it('is another one of a compressed answer, and known again', () => {
    expect(encodedTag('"a"')).toBe('"a-gzip"');
    expect(encodedTag('W/"a"')).toBe('W/"a"');
    expect(plainTags(`${encodedTag('"a"')}, "b", W/"c-gzip"`)).toBe('"a", "b", W/"c"');
  });
});
