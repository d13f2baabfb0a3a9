/**
 * Shares `room` among parts of the given sizes: the small ones get all they need, the large ones the same
 * share each. The sum never exceeds `room`.
 */
export function waterFill(sizes: readonly number[], room: number): number[] {
  const order = sizes
    .map((size, index) => ({ size, index }))
    .sort((a, b) => a.size - b.size || a.index - b.index);
  const shares = new Array<number>(sizes.length).fill(0);
  let left = Math.max(0, room);
  order.forEach(({ size, index }, rank) => {
    const share = Math.min(size, Math.floor(left / (order.length - rank)));
    shares[index] = share;
    left -= share;
  });
  return shares;
}
