/**
 * Paths inside a run's Pod: the only interface between the recorder, the browser's start script, the shim and the Pod builder.
 * The environment variable named with each path overrides it; that is how a local session runs the same programs below a
 * temporary directory.
 */

/** Memory volume shared by recorder and browser; the harness never sees it. Env `CLAWBENCH_RUN_DIR`. */
export const RUN_DIR = '/run/clawbench';
/** Files of {@link RUN_DIR}. */
export const RUN_FILES = {
  /**
   * The browser's only egress is an HTTP forward proxy on its own loopback; its start script passes the proxy's listening
   * socket to the recorder over this socket. The recorder listens.
   */
  listenerSocket: 'listener.sock',
  /** Chromium's `--remote-debugging-pipe`: two named pipes that the recorder creates. The browser writes this one. */
  pipeEvents: 'events.pipe',
  /** The browser reads this one. Both names are removed once it has opened them. */
  pipeCommands: 'commands.pipe',
  /** Written last: everything is ready, and the browser may start. */
  recorderReady: 'recorder.ready',
  /** Chromium's DevTools port. The browser's forwarder listens, the recorder connects. */
  cdpSocket: 'cdp.sock',
  /** Base64 SHA-256 of the per-run CA's public key, for `--ignore-certificate-errors-spki-list`. Written before `recorder.ready`. */
  caSpki: 'ca.spki',
  /** Created by the recorder once interception is armed: the startup probe of the browser container tests for this file. */
  armed: 'armed',
  /** Marker files: a sidecar that finds its own `.started` file at startup was restarted; it writes the `.restarted` file and waits. */
  recorderStarted: 'recorder.started',
  recorderRestarted: 'recorder.restarted',
  browserStarted: 'browser.started',
  browserRestarted: 'browser.restarted',
  /** `{"reason":Reason,"message":sentence}`, written by the browser's start script when it cannot set up what was requested. */
  browserError: 'browser.error',
  /** Recorder → browser: stop ffmpeg. Browser → recorder: it has stopped; the content is `stopped|terminated|killed|disabled`. */
  recordingStop: 'recording.stop',
  recordingStopped: 'recording.stopped',
} as const;

/** Shared by recorder (reads) and browser (ffmpeg writes `recording.mp4`, `ffmpeg.log`). Env `CLAWBENCH_RECORDING_DIR`. */
export const RECORDING_DIR = '/recording';
/** The recorder's own volume: the evidence. Env `CLAWBENCH_EVIDENCE_DIR`. */
export const EVIDENCE_DIR = '/evidence';
/** The suite's ConfigMap, read by the recorder. Env `CLAWBENCH_SUITE_DIR`. */
export const SUITE_DIR = '/suite';
/** Key of the archive in the ConfigMap's `binaryData`, and its file name in {@link SUITE_DIR}. */
export const SUITE_ARCHIVE = 'suite.tar.gz';
/** Memory volume, recorder writes, harness reads: `instruction.txt`, `agent.env` (KEY=VALUE lines). Env `CLAWBENCH_TASK_DIR`. */
export const TASK_DIR = '/clawbench-task';
/** Memory volume, recorder writes, harness reads. Env `CLAWBENCH_MY_INFO_DIR`. */
export const MY_INFO_DIR = '/my-info';
/** Files of {@link MY_INFO_DIR} that every run has; task texts mention these names. */
export const MY_INFO_FILES = {
  profile: 'alex_green_personal_info.json',
  mail: 'email_credentials.json',
  resume: 'alex_green_resume.pdf',
} as const;
/** The mail Secret, in the recorder and in the Jobs that mount it. Env `CLAWBENCH_MAIL_SECRET_DIR`. */
export const MAIL_SECRET_DIR = '/mail-secret';
/** The harness's `/data`; the recorder has the same volume here. Env `CLAWBENCH_HARNESS_DATA_DIR`. */
export const HARNESS_DATA_DIR = '/harness-data';
/** Where the `shim` init container puts the static binary. */
export const SHIM_DIR = '/clawbench-shim';
/** The file in {@link SHIM_DIR}. */
export const SHIM_BINARY = 'clawbench-shim';

/** Loopback ports of the Pod. */
export const PORTS = {
  /** The DevTools proxy, at the port that harnesses expect. Env `CLAWBENCH_DEVTOOLS_PORT`. */
  devTools: 9222,
  /** Control API. Env `CLAWBENCH_CONTROL_PORT`. */
  control: 7878,
  /** `/progress` and `/metrics`; the only port that is reachable from outside the Pod. Env `CLAWBENCH_PROGRESS_PORT`. */
  progress: 9464,
} as const;
