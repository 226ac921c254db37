import type { Dispatcher } from 'undici';
import { expect, it } from 'vitest';
import { openAnswer } from './opened-answer.ts';

it('a JSON answer in many small chunks is read in linear time', async () => {
  const body = ['{"choices":[{"x":"', ...Array.from({ length: 20_000 }, () => 'y'.repeat(100)), '"}]}'];
  const response = {
    statusCode: 200,
    headers: { 'content-type': 'application/json' },
    body: (async function* () {
      for (const chunk of body) yield await Promise.resolve(Buffer.from(chunk));
    })(),
  };
  const before = process.cpuUsage();
  const opened = await openAnswer(response as unknown as Dispatcher.ResponseData, 'openai-completions', 0);
  expect(opened.failure).toBeNull();
  expect(process.cpuUsage(before).user).toBeLessThan(1_500_000);
});
