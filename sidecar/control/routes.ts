import { z } from 'zod';
import { issueSentence } from '../../benchmark/text/issue-sentence.ts';
import { ANSWER_PAGE } from './answer-page.ts';
import { RequestRefused } from './read-json.ts';
import type { AttemptControl } from './attempt-control.ts';

/** What a route answers. `body` undefined: none (204). A string is sent as is, anything else as JSON. */
export interface ControlReply {
  readonly status: number;
  readonly body?: unknown;
  readonly contentType?: string;
}

export interface ControlCall {
  readonly attempt: AttemptControl;
  /** Parsed JSON body, null when there is none. */
  readonly body: unknown;
  /** Aborted when the caller hangs up. */
  readonly signal: AbortSignal;
}

export interface ControlRoute {
  readonly answer: (call: ControlCall) => ControlReply | Promise<ControlReply>;
  /** Largest body in bytes. */
  readonly limit: number;
}

const SMALL = 64 * 1024;
const MiB = 1024 * 1024;
/** docs/protocol.md: at most 25 s, below the idle limits of clients and proxies. */
const LONG_POLL_MS = 25_000;

const exitedBody = z.object({
  exitCode: z.number().int(),
  startError: z.string().max(1000).optional(),
  terminated: z.boolean().optional(),
});
const screenshotBody = z.object({
  timestamp: z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER),
  data: z.string(),
});
const actionBody = z.record(z.string(), z.unknown());

/** Upstream's routes, unchanged, then the recorder's own (docs/protocol.md). Anything else is 404. */
export const ROUTES: ReadonlyMap<string, ControlRoute> = new Map<string, ControlRoute>([
  ['GET /api/status', { limit: SMALL, answer: status }],
  ['POST /api/stop', { limit: SMALL, answer: stop }],
  ['POST /api/stop-recording', { limit: SMALL, answer: stopRecording }],
  [
    'GET /submit',
    { limit: SMALL, answer: () => ({ status: 200, body: ANSWER_PAGE, contentType: 'text/html; charset=utf-8' }) },
  ],
  ['POST /api/task-submit', { limit: MiB, answer: taskSubmit }],
  ['POST /api/action', { limit: MiB, answer: action }],
  ['POST /api/screenshot', { limit: 32 * MiB, answer: screenshot }],
  ['GET /api/armed', { limit: SMALL, answer: armed }],
  ['POST /api/agent/started', { limit: SMALL, answer: agentStarted }],
  ['GET /api/agent/wait', { limit: SMALL, answer: agentWait }],
  ['POST /api/agent/exited', { limit: SMALL, answer: agentExited }],
  ['POST /api/finalise', { limit: SMALL, answer: async ({ attempt }) => ok(await attempt.finalise()) }],
  ['GET /healthz', { limit: SMALL, answer: () => ok({ status: 'ok' }) }],
  ['GET /metrics', { limit: SMALL, answer: metrics }],
]);

function ok(body: unknown): ControlReply {
  return { status: 200, body };
}

function checked<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new RequestRefused(422, issue === undefined ? 'the body is not valid' : issueSentence(issue, body, 'the body'));
}

function status({ attempt }: ControlCall): ControlReply {
  return ok({ status: 'ok', eval_interceptor_ready: attempt.armed().armed });
}

function stop({ attempt }: ControlCall): ControlReply {
  attempt.stopRequested();
  const { actions, screenshots, requests } = attempt.counts();
  const counts = { actions_count: actions, screenshots_count: screenshots, requests_count: requests };
  return ok({ status: 'stopped', ...counts, has_recording: attempt.recordingBytes() > 0 });
}

async function stopRecording({ attempt }: ControlCall): Promise<ControlReply> {
  const recorder_status = await attempt.stopRecording();
  const size = attempt.recordingBytes();
  return ok({ status: 'recording_stopped', recorder_status, has_recording: size > 0, recording_size: size });
}

function taskSubmit({ body }: ControlCall): ControlReply {
  const { answer } = checked(z.object({ answer: z.string() }), body);
  return ok({ status: 'received', answer_length: answer.length });
}

/** Marked, because any program that reaches this API can claim that an action happened. */
function action({ attempt, body }: ControlCall): ControlReply {
  attempt.action({ ...checked(actionBody, body), source: 'api' });
  return ok({ status: 'ok' });
}

function screenshot({ attempt, body }: ControlCall): ControlReply {
  const { timestamp, data } = checked(screenshotBody, body);
  attempt.screenshot(timestamp, Buffer.from(data.replace(/^data:[^,]*,/, ''), 'base64'));
  return ok({ status: 'ok' });
}

function armed({ attempt }: ControlCall): ControlReply {
  const state = attempt.armed();
  if (state.armed && !state.ended) return ok({ armed: true });
  return { status: 503, body: { armed: false, ended: state.ended, reason: state.reason } };
}

function agentStarted({ attempt }: ControlCall): ControlReply {
  if (attempt.agentStarted()) return ok({ status: 'started' });
  return { status: 409, body: { error: 'the attempt is not armed, or it is over: no agent may run' } };
}

async function agentWait({ attempt, signal }: ControlCall): Promise<ControlReply> {
  const stop = await attempt.waitForStop(AbortSignal.any([signal, AbortSignal.timeout(LONG_POLL_MS)]));
  return stop === null ? { status: 204 } : ok({ stop: true, ...stop });
}

function agentExited({ attempt, body }: ControlCall): ControlReply {
  attempt.agentExited(checked(exitedBody, body));
  return ok({ status: 'noted' });
}

async function metrics({ attempt }: ControlCall): Promise<ControlReply> {
  return { status: 200, body: await attempt.metrics(), contentType: 'text/plain; version=0.0.4; charset=utf-8' };
}
