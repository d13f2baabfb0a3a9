/** Writes text[start, end) as UTF-8 and answers its length; a lone surrogate becomes U+FFFD, as the reference has it. */
export function writeUtf8(text: string, start: number, end: number, target: Uint8Array): number {
  let length = 0;
  for (let at = start; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) {
      target[length++] = unit;
    } else if (unit < 0x800) {
      target[length++] = 0xc0 | (unit >> 6);
      target[length++] = 0x80 | (unit & 0x3f);
    } else {
      const point = unit < 0xd800 || unit > 0xdfff ? unit : wellFormedPointAt(text, at);
      if (point > 0xffff) {
        at += 1;
        target[length++] = 0xf0 | (point >> 18);
        target[length++] = 0x80 | ((point >> 12) & 0x3f);
      } else {
        target[length++] = 0xe0 | (point >> 12);
      }
      target[length++] = 0x80 | ((point >> 6) & 0x3f);
      target[length++] = 0x80 | (point & 0x3f);
    }
  }
  return length;
}

function wellFormedPointAt(text: string, at: number): number {
  const point = text.codePointAt(at)!;
  return point > 0xffff ? point : 0xfffd;
}
