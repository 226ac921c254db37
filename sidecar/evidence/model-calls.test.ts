import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MODEL_CALLS_FILES } from '../../benchmark/protocol/model-gateway.ts';
import { openEvidenceSession, storedText } from './evidence.fixture.ts';

const row = (id: string, tokens: number): string =>
  `${JSON.stringify({ type: 'usage', call_id: id, input_tokens: tokens, total_tokens: tokens })}\n`;

it("prefers the gateway's exact usage to what the harness counted, and keeps its record of calls", async () => {
  const { dirs, store, finalise, end } = await openEvidenceSession();
  await writeFile(join(dirs.harnessData, 'usage.jsonl'), row('guess', 999));
  await writeFile(join(dirs.modelCalls ?? '', MODEL_CALLS_FILES.usage), row('gateway:1', 100) + row('gateway:2', 20));
  await writeFile(join(dirs.modelCalls ?? '', MODEL_CALLS_FILES.calls), '{"status":200}\n');
  const { facts } = await finalise();
  expect(facts.usage).toMatchObject({ total_tokens: 120, api_calls: 2 });
  expect(facts.apiCalls).toBe(2);
  expect(storedText(store, 'data/model-calls.jsonl')).toBe('{"status":200}\n');
  expect(storedText(store, 'data/usage.jsonl')).not.toContain('guess');
  await end();
});
