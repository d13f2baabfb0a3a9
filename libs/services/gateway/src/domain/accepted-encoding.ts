const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * Whether an `Accept-Encoding` header asks for gzip (RFC 9110 §12.5.3): named, or covered by `*`, with a weight above
 * zero and not below that of `identity`.
 */
export function acceptsGzip(header: string | undefined): boolean {
  const weights = weightsOf(header ?? '');
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}

function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    if (coding !== '') weights.set(coding, QUALITY.test(quality) ? Number(quality) : 0);
  }
  return weights;
}
