import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureBinary } from '../../../cli/local/static-binary.ts';
import type { Screen } from './screen.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SCRIPTS = join(ROOT, 'images/browser');
const run = promisify(execFile);

/** The environment in which the browser container starts its recording. */
export async function recordingEnv(screen: Pick<Screen, 'display'>, folder: string): Promise<NodeJS.ProcessEnv> {
  const grab = await ensureBinary(join(ROOT, 'dist/clawbench-grab'), 'grab');
  return {
    ...process.env,
    PATH: `${SCRIPTS}:${join(grab, '..')}:${process.env['PATH'] ?? ''}`,
    DISPLAY: screen.display,
    CLAWBENCH_RECORDING_DIR: folder,
    CLAWBENCH_VIEWPORT: '1920x1080',
  };
}

/** Starts `clawbench-record`; SIGINT ends it. */
export function startRecording(env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(join(SCRIPTS, 'clawbench-record'), [], { env, stdio: 'ignore' });
}

/** Makes the closed recording seekable, as the browser container does at the end. */
export async function indexRecording(env: NodeJS.ProcessEnv): Promise<void> {
  await run(join(SCRIPTS, 'clawbench-record'), ['index'], { env });
}

/** A window on the screen that changes `rate` times a second; ended by SIGKILL. */
export function showMotion(screen: Screen, size: string, rate: number): ChildProcess {
  const source = `testsrc2=s=${size}:r=${String(rate)}`;
  const args = [
    '-nostdin',
    '-v',
    'error',
    '-re',
    '-f',
    'lavfi',
    '-i',
    source,
    '-pix_fmt',
    'rgb32',
    '-f',
    'sdl2',
    'motion',
  ];
  return spawn('ffmpeg', args, {
    env: { ...process.env, DISPLAY: screen.display, SDL_RENDER_DRIVER: 'software' },
    stdio: 'ignore',
  });
}

/** Waits until the black screen shows a window; on a busy machine that takes seconds. @throws after 20 s */
export async function windowIsShown(screen: Pick<Screen, 'display'>): Promise<void> {
  const input = ['-f', 'x11grab', '-video_size', '1920x1080', '-i', screen.display, '-frames:v', '1'];
  const args = ['-v', 'error', ...input, '-vf', 'format=gray', '-f', 'rawvideo', '-'];
  for (const end = Date.now() + 20_000; Date.now() < end;) {
    const { stdout } = await run('ffmpeg', args, { encoding: 'buffer', maxBuffer: 2 ** 24 });
    // The pointer alone is 0.01.
    const brightness = stdout.reduce((sum, pixel) => sum + pixel, 0) / stdout.length;
    if (brightness > 1) return;
  }
  throw new Error('the window did not appear within 20 s');
}

export interface Frames {
  /** The time of every frame, in seconds. */
  readonly at: readonly number[];
  readonly keys: number;
  readonly duration: number;
}

/** Decodes a video from start to end. @throws when any part of it does not decode. */
export async function framesOf(path: string): Promise<Frames> {
  await run('ffmpeg', ['-v', 'error', '-xerror', '-i', path, '-f', 'null', '-']);
  const entries = ['-show_entries', 'packet=pts_time,flags:format=duration', '-of', 'json'];
  const { stdout } = await run('ffprobe', ['-v', 'error', '-select_streams', 'v', ...entries, path], {
    maxBuffer: 2 ** 26,
  });
  const found = JSON.parse(stdout) as { packets: { pts_time: string; flags: string }[]; format: { duration: string } };
  return {
    at: found.packets.map((packet) => Number(packet.pts_time)),
    keys: found.packets.filter(({ flags }) => flags.startsWith('K')).length,
    duration: Number(found.format.duration),
  };
}
