import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ringReader, ringWriter, type RingMemory } from './ring.ts';

function memoryOf(size: number, position = 0): RingMemory {
  const positions = new Int32Array(new SharedArrayBuffer(8)).fill(position);
  return { bytes: new SharedArrayBuffer(size), positions };
}

test('every frame that was put is read, whole and in order, at any position; a frame without room is not in the ring', () => {
  const steps = fc.array(fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.constant(null)), { maxLength: 200 });
  // Both sides of the 32-bit wrap.
  const position = fc.constantFrom(0, 0x7fff_fff0, -16, 64);
  fc.assert(
    fc.property(steps, position, (all, from) => {
      const memory = memoryOf(128, from);
      const [writer, reader] = [ringWriter(memory), ringReader(memory)];
      const expected: { at: number; bytes: number[] }[] = [];
      const read = (): void => {
        for (let frame = reader.next(reader.position); frame !== null; frame = reader.next(reader.position))
          expect({ at: frame.at, bytes: [...frame.bytes] }).toEqual(expected.shift());
        expect(expected).toEqual([]);
      };
      all.forEach((step, index) => {
        if (step === null) read();
        else if (writer.put(index + 0.5, step)) expected.push({ at: index + 0.5, bytes: [...step] });
        // An empty ring takes a frame of this size at any position.
        else expect(expected).not.toEqual([]);
      });
      read();
    }),
    { numRuns: 500 },
  );
});

test('a frame that is larger than the memory never fits', () => {
  const writer = ringWriter(memoryOf(128));
  expect(writer.put(0, new Uint8Array(200))).toBe(false);
  expect(writer.put(0, new Uint8Array(100))).toBe(true);
});

test('reading stops at a position that was written', () => {
  const memory = memoryOf(128);
  const [writer, reader] = [ringWriter(memory), ringReader(memory)];
  writer.put(1, Buffer.from('a'));
  const middle = writer.position;
  writer.put(2, Buffer.from('b'));
  expect(reader.next(middle)?.at).toBe(1);
  expect(reader.next(middle)).toBeNull();
  expect(reader.next(writer.position)?.at).toBe(2);
  // A reader with an older position has nothing left to read.
  expect(reader.next(middle)).toBeNull();
  expect(reader.next(writer.position)).toBeNull();
});
