/**
 * The quantile q of some values (contract §12.2): at the position (n − 1)·q of the sorted values, between two of
 * them by linear interpolation, never rounded.
 */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  const position = (sorted.length - 1) * q;
  const below = Math.floor(position);
  const low = sorted[below] ?? NaN;
  if (below === position) return low;
  return low + ((sorted[below + 1] ?? NaN) - low) * (position - below);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
