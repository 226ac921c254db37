import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { runConfig } from '../../benchmark/protocol/run-config.ts';
import type { NetworkOptions } from './options.ts';

export interface SessionShape {
  readonly caseName: string;
  /** False: a person, or any DevTools client, drives. */
  readonly hasHarness: boolean;
  readonly headless: boolean;
  readonly record: boolean;
  readonly isolation: 'Namespace' | 'DoorOnly';
  readonly timeLimitSeconds: number | null;
  readonly network: NetworkOptions;
  /** Folder that the attempt is written into; see `RUN_PREFIX`. */
  readonly store: string;
}

/** Key prefix of the one run in the session's store. */
export const RUN_PREFIX = 'run';
/** No idle rule for people: upstream's human mode has none. Longer than any time limit. */
const NEVER_SECONDS = 10 * 365 * 86_400;

/** The configuration that the operator would write for a Pod, for this session. */
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
