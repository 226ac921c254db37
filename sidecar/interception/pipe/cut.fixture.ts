/** A stream in the pieces that these points cut it into, wherever they are: any number is a place within it. */
export function cutAt(stream: Buffer, points: readonly number[]): Buffer[] {
  const places = points.map((point) => point % (stream.length + 1));
  const cuts = [...new Set([0, ...places, stream.length])].sort((a, b) => a - b);
  return cuts.slice(1).map((cut, index) => stream.subarray(cuts[index], cut));
}
