import { describe, expect, it } from 'vitest';
import { slowStart } from './slow-start.ts';

describe('slow start', () => {
  it('works in growing waves, in order', async () => {
    const started: number[] = [];
    let atOnce = 0;
    const most: number[] = [];
    const items = Array.from({ length: 40 }, (_, index) => index);
    await slowStart(items, async (item) => {
      started.push(item);
      atOnce += 1;
      most.push(atOnce);
      await Promise.resolve();
      atOnce -= 1;
    });
    expect(started).toEqual(items);
    expect(Math.max(...most)).toBe(16);
    expect(most.slice(0, 7)).toEqual([1, 1, 2, 1, 2, 3, 4]);
  });

  it('stops after the wave in which one failed', async () => {
    const asked: number[] = [];
    const work = (item: number): Promise<void> => {
      asked.push(item);
      return item === 1 ? Promise.reject(new Error('quota')) : Promise.resolve();
    };
    await expect(slowStart([0, 1, 2, 3, 4, 5], work)).rejects.toThrow('quota');
    expect(asked).toEqual([0, 1, 2]);
  });
});
