import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MAX_MAP_BYTES, packRows, RowsTooLarge, unpackRows } from './row-list.ts';

const row = (index: number): object => ({
  case: `${String(index).padStart(5, '0')}-travel-flights-a-rather-long-name-of-a-platform-${String(index % 97)}`,
  taskId: index,
  sha256: randomBytes(32).toString('hex'),
  metaclass: 'travel',
  class: 'flights',
  group: 'Travel',
  site: `shop-${String(index % 97)}.example.com`,
  timeLimitSeconds: 1800,
  placeholder: false,
});
const rows = (count: number): object[] => Array.from({ length: count }, (_, index) => row(index));

/** As the API server counts: values, binary ones decoded. */
function counted({ data = {}, binaryData = {} }: ReturnType<typeof packRows>): number {
  const texts = Object.values(data).map((text) => Buffer.byteLength(text));
  const binary = Object.values(binaryData).map((text) => Buffer.from(text, 'base64').byteLength);
  return [...texts, ...binary].reduce((sum, size) => sum + size, 0);
}

describe('rows in a ConfigMap', () => {
  it.each([0, 1, 300, 5000, 10_000])('%d rows fit and are read back', (count) => {
    const list = rows(count);
    const packed = packRows('tasks.json', list);
    expect(counted(packed)).toBeLessThanOrEqual(MAX_MAP_BYTES);
    expect(unpackRows('tasks.json', packed)).toEqual(list);
  });

  it('stay plain text while they fit', () => {
    expect(Object.keys(packRows('tasks.json', rows(300)).data ?? {})).toEqual(['tasks.json']);
    expect(Object.keys(packRows('tasks.json', rows(5000)).binaryData ?? {})).toEqual(['tasks.json.gz']);
  });

  it('that do not fit report by how much', () => {
    const refusal = ((): unknown => {
      try {
        return packRows('tasks.json', rows(40_000));
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(RowsTooLarge);
    expect((refusal as RowsTooLarge).over).toBeGreaterThan(100_000);
  });

  it('missing or invalid content is not a list', () => {
    expect(unpackRows('tasks.json', {})).toBeNull();
    expect(unpackRows('tasks.json', { binaryData: { 'tasks.json.gz': 'AAAA' } })).toBeNull();
    expect(unpackRows('tasks.json', { data: { 'tasks.json': '{' } })).toBeNull();
  });
});
