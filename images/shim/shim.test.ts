import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import { startTinyControl, type TinyControl } from './control.fixture.ts';

const scratch = mkdtempSync(join(tmpdir(), 'shim-'));
const shim = join(scratch, 'clawbench-shim');
const log = join(scratch, 'termination-log');
const said = (name: string): string => join(scratch, name);
let control: TinyControl;
let running: ChildProcess | undefined;

beforeAll(() => {
  execFileSync('go', ['build', '-trimpath', '-ldflags', '-s -w', '-o', shim, '.'], {
    cwd: import.meta.dirname,
    env: { ...process.env, CGO_ENABLED: '0' },
  });
}, 120_000);
afterAll(() => {
  rmSync(scratch, { recursive: true });
});

beforeEach(async () => {
  control = await startTinyControl();
  rmSync(log, { force: true });
  rmSync(join(scratch, 'recorder-lost.json'), { force: true });
  writeFileSync(join(scratch, 'instruction.txt'), 'Buy two "lamps".\nToday.');
  writeFileSync(join(scratch, 'agent.env'), '# comment\nTIME_LIMIT_S=90\n');
});
afterEach(async () => {
  running?.kill('SIGKILL');
  await control.close();
});

/** Runs a shell script under the shim; resolves with the shim's exit code. */
function wrap(script: string, env: Record<string, string> = {}): Promise<number | null> {
  return wrapCommand(['sh', '-c', script], env);
}

function wrapCommand(command: readonly string[], env: Record<string, string> = {}): Promise<number | null> {
  running = spawn(shim, ['--', ...command], {
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      OUT: scratch,
      CLAWBENCH_CONTROL_URL: control.url,
      CLAWBENCH_TASK_DIR: scratch,
      CLAWBENCH_TERMINATION_LOG: log,
      ...env,
    },
  });
  return new Promise((resolve) => running?.once('exit', resolve));
}

function alive(pidFile: string): boolean {
  try {
    const pid = readFileSync(said(pidFile), 'utf8').trim();
    // Killed between making its file and writing it: `/proc//stat` would be the machine's.
    if (!/^\d+$/.test(pid)) return false;
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe('an agent that exits', () => {
  it('gets prompt and environment, and its exit is reported in order before the outcome is written', async () => {
    expect(await wrap('printf %s "$INSTRUCTION|$TIME_LIMIT_S" > $OUT/prompt; exit 3')).toBe(0);
    expect(readFileSync(said('prompt'), 'utf8')).toBe('Buy two "lamps".\nToday.|90');
    expect(control.calls).toEqual([
      '/api/armed',
      '/api/agent/started',
      '/api/agent/exited {"exitCode":3}',
      '/api/finalise',
    ]);
    expect(readFileSync(log, 'utf8')).toBe(control.outcome);
  });

  it('gets the environment of the recorder instead of that of the Pod', async () => {
    writeFileSync(join(scratch, 'agent.env'), 'BASE_URL=http://127.0.0.1:4100/v1\n');
    await wrap("tr '\\0' '\\n' < /proc/$$/environ | grep ^BASE_URL > $OUT/base", {
      BASE_URL: 'http://127.0.0.1:4100',
    });
    expect(readFileSync(said('base'), 'utf8')).toBe('BASE_URL=http://127.0.0.1:4100/v1\n');
  });

  it('ends with its background processes, even those with their own session', async () => {
    expect(await wrap('sleep 300 & echo $! > $OUT/a; setsid sleep 300 & echo $! > $OUT/b; sleep 0.2')).toBe(0);
    expect([alive('a'), alive('b')]).toEqual([false, false]);
  });

  it('cannot write its own outcome', async () => {
    await wrap(`echo '{"outcome":"Passed"}' > ${log}`);
    expect(readFileSync(log, 'utf8')).toBe(control.outcome);
  });
});

describe('a stop', () => {
  it('sends SIGTERM and kills processes that ignore it', async () => {
    const done = wrap('trap "echo asked > $OUT/term" TERM; echo $$ > $OUT/stubborn; while :; do sleep 0.05; done');
    await expect.poll(() => existsSync(said('stubborn'))).toBe(true);
    const asked = Date.now();
    control.stop(0.5);
    expect(await done).toBe(0);
    expect(Date.now() - asked).toBeGreaterThan(450);
    expect(readFileSync(said('term'), 'utf8')).toBe('asked\n');
    expect(alive('stubborn')).toBe(false);
    expect(control.calls.slice(-2)).toEqual(['/api/agent/exited {"exitCode":137}', '/api/finalise']);
  });

  it('by SIGTERM to the shim does the same', async () => {
    const done = wrap('echo $$ > $OUT/termed; exec sleep 300');
    await expect.poll(() => existsSync(said('termed'))).toBe(true);
    running?.kill('SIGTERM');
    expect(await done).toBe(0);
    expect(alive('termed')).toBe(false);
    expect(control.calls).toContain('/api/agent/exited {"exitCode":143,"terminated":true}');
    expect(control.calls.at(-1)).toBe('/api/finalise');
    expect(readFileSync(log, 'utf8')).toBe(control.outcome);
  });
});

describe('an agent that must not run', () => {
  it('is not started if the attempt ended before interception was armed', async () => {
    control.armed = { ended: true };
    expect(await wrap('touch $OUT/ran')).toBe(0);
    expect(existsSync(said('ran'))).toBe(false);
    expect(control.calls).toEqual(['/api/armed', '/api/finalise']);
  });

  it('is killed immediately if the recorder refuses its start', async () => {
    control.startedStatus = 409;
    expect(await wrap('echo $$ > $OUT/refused; exec sleep 300')).toBe(0);
    expect(alive('refused')).toBe(false);
    expect(control.calls.at(-1)).toBe('/api/finalise');
  });

  it.each([
    ['does not exist', '/no/such/program', 'no such file'],
    ['is not executable', join(scratch, 'instruction.txt'), 'permission denied'],
  ])('because it %s is reported as such', async (_name, program, words) => {
    chmodSync(join(scratch, 'instruction.txt'), 0o644);
    expect(await wrapCommand([program])).toBe(0);
    const report = control.calls.find((call) => call.startsWith('/api/agent/exited')) ?? '';
    expect(report).toContain('"exitCode":127');
    expect(report).toContain(words);
  });
});

describe('a recorder that is lost', () => {
  it('ends the agent, and the message that it prepared is reported', async () => {
    writeFileSync(join(scratch, 'recorder-lost.json'), '{"v":1,"attempt":4}');
    const done = wrap('echo $$ > $OUT/orphan; exec sleep 300', { CLAWBENCH_RECORDER_LOST: '300ms' });
    await expect.poll(() => existsSync(said('orphan'))).toBe(true);
    await control.close();
    expect(await done).toBe(0);
    expect(alive('orphan')).toBe(false);
    expect(readFileSync(log, 'utf8')).toBe('{"v":1,"attempt":4}');
  });

  it('from the beginning gives a message that the operator can parse', async () => {
    await control.close();
    expect(await wrap('touch $OUT/never', { CLAWBENCH_RECORDER_LOST: '200ms' })).toBe(0);
    expect(existsSync(said('never'))).toBe(false);
    const message = outcomeMessage.parse(JSON.parse(readFileSync(log, 'utf8')));
    expect(message).toMatchObject({ outcome: 'Infrastructure', evidence: 'None', intercepted: false });
  });
});

it('requests finalization and waits for it, as a preStop hook', () => {
  const env = { ...process.env, CLAWBENCH_CONTROL_URL: control.url };
  return new Promise<void>((resolve) => {
    spawn(shim, ['stop'], { env, stdio: 'ignore' }).once('exit', (code) => {
      expect(code).toBe(0);
      expect(control.calls).toEqual(['/api/finalise']);
      resolve();
    });
  });
});

it('copies itself as an executable for the init container', () => {
  const dest = mkdtempSync(join(scratch, 'dest-'));
  execFileSync(shim, ['copy', dest]);
  expect(statSync(join(dest, 'clawbench-shim')).mode & 0o111).toBe(0o111);
  expect(readFileSync(join(dest, 'clawbench-shim')).equals(readFileSync(shim))).toBe(true);
});
