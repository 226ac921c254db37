import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { framesOf, indexRecording, recordingEnv, showMotion, startRecording, windowIsShown } from './record-screen.ts';
import { ended, openScreen, scratchFolder, type Screen } from './screen.ts';

/** A recording of the screen, made by the script of the browser container. */
let screen: Screen;
let folder: Awaited<ReturnType<typeof scratchFolder>>;
let env: NodeJS.ProcessEnv;
const file = (name: string): string => join(folder.path, name);
const started = (): number => Number(readFileSync(file('recording.started'), 'utf8'));

beforeEach(async () => {
  screen = await openScreen();
  folder = await scratchFolder('recording');
  env = await recordingEnv(screen, folder.path);
});
afterEach(async () => {
  await screen.close();
  await folder.remove();
});

async function until(condition: () => boolean): Promise<void> {
  for (let left = 200; !condition(); left--) {
    if (left === 0) throw new Error('it did not happen within 10 s');
    await sleep(50);
  }
}
const firstFrame = (): Promise<void> =>
  until(() => {
    try {
      return started() > 0;
    } catch {
      return false;
    }
  });

describe('a recording', () => {
  it('keeps real time, with few frames where little changes and many where much does', async () => {
    const recording = startRecording(env);
    await firstFrame();
    await sleep(3_000);
    const from = Date.now() - started();
    const motion = showMotion(screen, '320x240', 30);
    await windowIsShown(screen);
    await sleep(3_000);
    await ended(motion, 'SIGKILL');
    const to = Date.now() - started();
    await sleep(2_000);
    const length = Date.now() - started();
    await ended(recording, 'SIGINT');
    const { at, duration } = await framesOf(file('recording.mp4'));
    expect(Math.abs(duration * 1000 - length)).toBeLessThan(2_000);
    const between = (a: number, b: number): number => at.filter((t) => t * 1000 > a && t * 1000 <= b).length;
    // A recorder that takes every frame has 15 a second; a still screen gives one, and a few more until it settles.
    expect(between(0, from)).toBeLessThan((from / 1000) * 5);
    // 40 on a quiet machine.
    expect(between(from, to)).toBeGreaterThan(8);
    expect(Math.max(...at.slice(1).map((t, i) => t - (at[i] ?? 0)))).toBeLessThan(3);
    expect(readFileSync(file('ffmpeg.log'), 'utf8')).toBe('');
  });

  it('plays up to its last seconds when every process is killed', async () => {
    const recording = startRecording(env);
    await firstFrame();
    await sleep(8_000);
    const encoder = execFileSync('pgrep', ['-P', String(recording.pid)], { encoding: 'utf8' }).trim();
    process.kill(Number(encoder), 'SIGKILL');
    await ended(recording, 'SIGKILL');
    const length = (Date.now() - started()) / 1000;
    const { duration } = await framesOf(file('recording.mp4'));
    expect(length - duration).toBeLessThan(5);
    expect(duration).toBeGreaterThan(2);
  });

  it('has its index at the front once it is closed, while the live file stays as it was uploaded', async () => {
    const motion = showMotion(screen, '320x240', 30);
    const recording = startRecording(env);
    await firstFrame();
    await sleep(4_000);
    await ended(recording, 'SIGINT');
    await ended(motion, 'SIGKILL');
    const live = readFileSync(file('recording.mp4'));
    await indexRecording(env);
    expect(readFileSync(file('recording.mp4')).equals(live)).toBe(true);
    const indexed = readFileSync(file('recording.indexed.mp4'));
    const boxes = ['moov', 'mdat', 'moof'].map((name) => indexed.indexOf(name));
    expect(boxes[0]).toBeGreaterThan(0);
    expect(boxes[0]).toBeLessThan(boxes[1] ?? 0);
    expect(boxes[2]).toBe(-1);
    expect((await framesOf(file('recording.indexed.mp4'))).at).toHaveLength(
      (await framesOf(file('recording.mp4'))).at.length,
    );
  });

  it('is made by ffmpeg alone when the grabber is missing, which the log reports', async () => {
    const recording = startRecording({ ...env, PATH: '/usr/bin:/bin' });
    await firstFrame();
    await sleep(3_000);
    await ended(recording, 'SIGINT');
    expect(readFileSync(file('ffmpeg.log'), 'utf8')).toContain('clawbench-grab cannot record this screen');
    expect((await framesOf(file('recording.mp4'))).duration).toBeGreaterThan(1);
  });
});
