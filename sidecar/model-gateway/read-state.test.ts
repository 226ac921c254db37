import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MODEL_CALLS_FILES, type GatewayState } from '../../benchmark/protocol/model-gateway.ts';
import { liveUsage } from './read-state.ts';

const state: GatewayState = {
  v: 1,
  calls: 3,
  inFlight: 1,
  tokens: 120,
  costUSD: 0.5,
  estimated: 0,
  failures: { RateLimit: 1 },
  refusals: {},
  lastFailure: { kind: 'RateLimit', status: 429, at: 1 },
  lastSuccessAt: null,
};

it('live usage is what the gateway counted, and zero without a gateway', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'live-'));
  expect(await liveUsage(directory)).toEqual({ costUSD: null, tokens: 0, apiCalls: 0 });
  writeFileSync(join(directory, MODEL_CALLS_FILES.state), JSON.stringify(state));
  expect(await liveUsage(directory)).toEqual({ costUSD: 0.5, tokens: 120, apiCalls: 3 });
});
