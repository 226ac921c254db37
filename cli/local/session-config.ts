import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { runConfig } from '../../benchmark/protocol/run-config.ts';
import type { NetworkOptions } from './options.ts';

export interface SessionShape {
  readonly caseName: string;
  /** False if a person or any DevTools client drives the browser. */
  readonly hasHarness: boolean;
  readonly headless: boolean;
  readonly record: boolean;
  readonly isolation: 'Namespace' | 'DoorOnly';
  readonly timeLimitSeconds: number | null;
  readonly network: NetworkOptions;
  /** Folder that the attempt is written to; see `RUN_PREFIX`. */
  readonly store: string;
}

/** Key prefix of the run in the session's store. */
export const RUN_PREFIX = 'run';
/** No idle limit for people, as in upstream's human mode: longer than any time limit. */
const NEVER_SECONDS = 10 * 365 * 86_400;

/** The run configuration that the operator would pass to a Pod, for this session. */
export function sessionConfig(shape: SessionShape): z.input<typeof runConfig> {
  const driver = shape.hasHarness ? 'local' : 'human';
  return {
    namespace: 'local',
    run: `local-${shape.caseName}`.slice(0, 200),
    runUID: randomUUID(),
    batch: 'local',
    batchUID: randomUUID(),
    attempt: 1,
    suite: 'local',
    caseName: shape.caseName,
    taskSha256: null,
    model: shape.hasHarness ? (process.env['MODEL_NAME'] ?? 'none') : driver,
    harness: driver,
    repetition: 1,
    runPrefix: RUN_PREFIX,
    artifacts: { kind: 'directory', path: shape.store },
    timeLimitSeconds: shape.timeLimitSeconds,
    judged: false,
    ...(shape.hasHarness ? {} : { deadlines: { idleSeconds: NEVER_SECONDS } }),
    network: shape.network,
    browser: {
      // x11grab needs a screen; a headless browser has none.
      recording: shape.record && !shape.headless ? 'Video' : 'ScreenshotsOnly',
      isolation: shape.isolation,
    },
  };
}
