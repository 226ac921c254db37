/** Splits a stream at these points; any number is taken as an offset within it. */
export function cutAt(stream: Buffer, points: readonly number[]): Buffer[] {
  const offsets = points.map((point) => point % (stream.length + 1));
  const cuts = [...new Set([0, ...offsets, stream.length])].sort((a, b) => a - b);
  return cuts.slice(1).map((cut, index) => stream.subarray(cuts[index], cut));
}
