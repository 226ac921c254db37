import { z } from 'zod';

/** Image references of one release, from the chart (`CLAWBENCH_IMAGES`, JSON). */
const images = z.object({
  recorder: z.string().min(1),
  browser: z.string().min(1),
  judge: z.string().min(1),
  /** By harness name. */
  harnesses: z.record(z.string(), z.string().min(1)).default({}),
});
export type Images = z.infer<typeof images>;

/** The operator's settings from its environment, which the chart sets. */
export interface OperatorConfig {
  readonly images: Images;
  /** Null: all namespaces. */
  readonly watchNamespace: string | null;
  readonly podName: string;
  /** Namespace of the Lease. */
  readonly podNamespace: string;
  readonly port: number;
  readonly logLevel: string;
  readonly version: string;
}

/** @throws Error with one sentence that names the variable. */
export function readConfig(env: NodeJS.ProcessEnv): OperatorConfig {
  return {
    images: readImages(env['CLAWBENCH_IMAGES']),
    watchNamespace: env['CLAWBENCH_WATCH_NAMESPACE'] || null,
    podName: env['POD_NAME'] || 'clawbench-operator',
    podNamespace: env['POD_NAMESPACE'] || 'default',
    port: Number(env['CLAWBENCH_PORT'] || '8080'),
    logLevel: env['LOG_LEVEL'] || 'info',
    // The bundler replaces exactly this expression with the package's version.
    version: process.env['CLAWBENCH_VERSION'] ?? '0.0.0',
  };
}

function readImages(text: string | undefined): Images {
  if (text === undefined || text === '') {
    throw new Error('CLAWBENCH_IMAGES is not set; the chart sets it to JSON {recorder, browser, judge, harnesses}');
  }
  try {
    return images.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`CLAWBENCH_IMAGES is not valid: ${String(error)}`, { cause: error });
  }
}
