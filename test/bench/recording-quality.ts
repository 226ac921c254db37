import { execFile, spawn } from 'node:child_process';
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startRecording } from '../browser/capture/record-screen.ts';
import { ended } from '../browser/capture/screen.ts';

const run = promisify(execFile);

/** Upstream's settings. */
export function upstreamArguments(display: string, file: string): string[] {
  const grab = [
    '-y',
    '-nostdin',
    '-loglevel',
    'error',
    '-f',
    'x11grab',
    '-video_size',
    '1920x1080',
    '-framerate',
    '15',
  ];
  const encode = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '28', '-pix_fmt', 'yuv420p'];
  return [...grab, '-i', display, ...encode, '-movflags', '+frag_keyframe+empty_moov+default_base_moof', file];
}

export interface Quality {
  /** Mean SSIM of all planes over all frames of the file. */
  readonly ssim: number;
  readonly frames: number;
  readonly bytesPerSecond: number;
}

/**
 * Measures what encoding loses, frame by frame: ffmpeg also writes the same frames without loss, and each frame is compared
 * with its twin. Both recorders capture the same screen at the same time.
 */
export async function compareQuality(
  env: NodeJS.ProcessEnv,
  folder: string,
  seconds: number,
): Promise<{ readonly ours: Quality; readonly upstream: Quality }> {
  const path = await twinPath(folder);
  const ours = startRecording({ ...env, PATH: `${path}:${env['PATH'] ?? ''}`, CLAWBENCH_RECORDING_DIR: folder });
  const upstreamFile = join(folder, 'upstream.mp4');
  const lossless = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-pix_fmt', 'yuv420p'];
  const upstreamArgs = [...upstreamArguments(env['DISPLAY'] ?? '', upstreamFile), ...lossless, twinOf(upstreamFile)];
  const upstream = spawn('ffmpeg', upstreamArgs, { stdio: 'ignore' });
  await sleep(seconds * 1000);
  await Promise.all([ended(ours, 'SIGINT'), ended(upstream, 'SIGINT')]);
  return {
    ours: await compare(join(folder, 'recording.mp4'), seconds),
    upstream: await compare(upstreamFile, seconds),
  };
}

/** A folder for the PATH whose `ffmpeg` also writes the lossless twin. */
async function twinPath(folder: string): Promise<string> {
  const path = join(folder, 'bin');
  await mkdir(path);
  const twin = twinOf(join(folder, 'recording.mp4'));
  const real = (await run('which', ['ffmpeg'])).stdout.trim();
  const more = `-c:v libx264 -preset ultrafast -qp 0 -fps_mode vfr -enc_time_base 1:1000 ${twin}`;
  await writeFile(join(path, 'ffmpeg'), `#!/bin/sh\nexec ${real} "$@" ${more}\n`);
  await chmod(join(path, 'ffmpeg'), 0o755);
  return path;
}

function twinOf(file: string): string {
  return file.replace(/\.mp4$/, '.lossless.mp4');
}

async function compare(file: string, seconds: number): Promise<Quality> {
  // By number, not by time: the two files contain the same frames, but differ in the duration of the last one.
  const filter = '[0:v]settb=1/1000,setpts=N[a];[1:v]settb=1/1000,setpts=N[b];[a][b]ssim';
  const args = ['-i', file, '-i', twinOf(file), '-lavfi', filter, '-f', 'null', '-'];
  const { stderr } = await run('ffmpeg', args, { maxBuffer: 2 ** 26 });
  const ssim = Number(/All:([\d.]+)/.exec(stderr)?.[1]);
  const [frames, twins] = await Promise.all([countFrames(file), countFrames(twinOf(file))]);
  if (frames !== twins) throw new Error(`${file} has ${String(frames)} frames, its twin ${String(twins)}`);
  return { ssim, frames, bytesPerSecond: Math.round((await stat(file)).size / seconds) };
}

async function countFrames(file: string): Promise<number> {
  const entries = ['-select_streams', 'v', '-count_packets', '-show_entries', 'stream=nb_read_packets'];
  const { stdout } = await run('ffprobe', ['-v', 'error', ...entries, '-of', 'csv=p=0', file]);
  return Number.parseInt(stdout, 10);
}
