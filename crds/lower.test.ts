import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { celRules } from './cel.ts';
import { opaqueObject, timestamp } from './fields.ts';
import { NotStructural, lower } from './lower.ts';

describe('lowering a zod schema for the API server', () => {
  it('requires fields that are not optional and have no default', () => {
    const schema = lower(z.object({ a: z.string(), b: z.string().optional(), c: z.string().default('x') }));
    expect(schema.required).toEqual(['a']);
    expect(schema.properties?.['c']?.default).toBe('x');
  });

  it('writes integers as int64 with their own bounds only', () => {
    const { properties } = lower(z.object({ any: z.number().int(), few: z.number().int().min(1).max(9) }));
    expect(properties?.['any']).toEqual({ type: 'integer', format: 'int64' });
    expect(properties?.['few']).toEqual({ type: 'integer', format: 'int64', minimum: 1, maximum: 9 });
  });

  it('writes null as nullable', () => {
    expect(lower(z.boolean().nullable())).toEqual({ type: 'boolean', nullable: true });
  });

  it('leaves the validation of times to the API server', () => {
    expect(lower(timestamp)).toEqual({ type: 'string', format: 'date-time' });
  });

  it('does not close objects with additionalProperties, and keeps the values of maps', () => {
    expect(lower(z.object({ a: z.string() }))).not.toHaveProperty('additionalProperties');
    expect(lower(z.record(z.string(), z.string()))).toEqual({
      type: 'object',
      additionalProperties: { type: 'string' },
    });
  });

  it('leaves opaque objects without a type, so that CEL compares them whole', () => {
    expect(lower(opaqueObject)).toEqual({ 'x-kubernetes-preserve-unknown-fields': true });
  });

  it("writes a block's default out in full, since CEL rules see it unfilled", () => {
    const inner = z.object({ width: z.number().int().default(3) }).prefault({});
    const block = z.object({ inner, kind: z.string().default('a'), other: z.string().optional() }).prefault({});
    expect(lower(z.object({ block })).properties?.['block']?.default).toEqual({ inner: { width: 3 }, kind: 'a' });
  });

  it('carries rules and list types', () => {
    const rule = { rule: 'self.a > 0', message: 'a must be positive.' };
    expect(lower(z.object({ a: z.number() }).meta(celRules(rule)))['x-kubernetes-validations']).toEqual([rule]);
    expect(lower(z.array(z.string()).meta({ 'x-kubernetes-list-type': 'set' }))['x-kubernetes-list-type']).toBe('set');
  });

  it.each([
    ['a union', z.union([z.string(), z.number()])],
    ['anything', z.unknown()],
    ['a tuple', z.tuple([z.string()])],
  ])('refuses %s, naming the field', (_, schema) => {
    expect(() => lower(z.object({ field: schema }), 'spec')).toThrow(NotStructural);
    expect(() => lower(z.object({ field: schema }), 'spec')).toThrow(/spec\.field/);
  });
});
