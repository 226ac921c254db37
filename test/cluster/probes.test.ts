import { expect, it } from 'vitest';
import { saysReady } from './probes.ts';

function node(...conditions: [string, string][]): string {
  return JSON.stringify({ status: { conditions: conditions.map(([type, status]) => ({ type, status })) } });
}

it('a node is Ready by that condition alone, and not before it has one', () => {
  expect(saysReady(node(['MemoryPressure', 'False'], ['Ready', 'True']))).toBe(true);
  expect(saysReady(node(['MemoryPressure', 'True'], ['Ready', 'False']))).toBe(false);
  expect(saysReady(node(['Ready', 'Unknown']))).toBe(false);
  expect(saysReady('{}')).toBe(false);
});
