import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_PAYLOAD, readActionRow, TIMESTAMP_LIMITS } from './action-row.ts';

const NOW = 1_700_000_000_000;
const TIME = 1_650_000_000_000;

describe('readActionRow', () => {
  it("keeps upstream's fields of a valid row, in upstream's order", () => {
    const target = { tagName: 'INPUT', id: 'q', className: 'c', textContent: 't', xpath: '/html[1]' };
    const row = {
      type: 'click',
      timestamp: TIME,
      url: 'https://x.test/',
      target,
      x: 1.5,
      y: 2,
      key: 'a',
      value: 'v',
      extra: 1,
    };
    const read = readActionRow(JSON.stringify(row), NOW);
    expect(read).toEqual({
      type: 'click',
      timestamp: TIME,
      url: 'https://x.test/',
      target,
      x: 1.5,
      y: 2,
      key: 'a',
      value: 'v',
    });
  });
  it('gives a page load its title and no target', () => {
    expect(readActionRow({ type: 'pageLoad', timestamp: TIME, url: 'u', title: 'T', target: {} }, NOW)).toEqual({
      type: 'pageLoad',
      timestamp: TIME,
      url: 'u',
      title: 'T',
    });
  });
  it.each([
    '[]',
    'null',
    '1',
    '"x"',
    '{}',
    '{"type":1}',
    '{"type":"random"}',
    '{"type":"cli',
    '['.repeat(5000),
    ' '.repeat(MAX_PAYLOAD + 1),
  ])('refuses %.20s', (payload) => {
    expect(readActionRow(payload, NOW)).toBeNull();
  });
  it.each([undefined, '../../x', -1, 1.5, NaN, 1e300, TIMESTAMP_LIMITS.max + 1, { valueOf: 1 }])(
    'time stamp %s becomes the clock',
    (timestamp) => {
      expect(readActionRow({ type: 'click', timestamp }, NOW)?.timestamp).toBe(NOW);
    },
  );
  it('never throws, and returns integers and bounded text', () => {
    const hostile = fc.record(
      {
        type: fc.constantFrom('click', 'scroll', 'pageLoad'),
        timestamp: fc.anything(),
        url: fc.anything(),
        target: fc.anything(),
        x: fc.anything(),
        value: fc.anything(),
        scrollX: fc.anything(),
      },
      { requiredKeys: ['type'] },
    );
    fc.assert(
      fc.property(hostile, (row) => {
        const read = readActionRow(row, NOW);
        expect(Number.isInteger(read?.timestamp)).toBe(true);
        expect(JSON.stringify(read).length).toBeLessThan(20_000);
      }),
    );
  });
});
