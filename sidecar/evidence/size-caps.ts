/** Maximum bytes per file, so that a page or a harness that writes without end fills neither the node nor the bucket. */
export interface EvidenceCaps {
  readonly actions: number;
  readonly requests: number;
  readonly messages: number;
  readonly usage: number;
  readonly recording: number;
  /** All screenshots together. */
  readonly screenshots: number;
  /** Each log file; its beginning and its end are kept. */
  readonly log: number;
  /** Number of log files. */
  readonly logFiles: number;
}

const MiB = 1024 * 1024;

/** Far above what a 30-minute run writes, far below what a node can spare. Logs are searched in memory. */
export const DEFAULT_CAPS: EvidenceCaps = {
  actions: 64 * MiB,
  requests: 256 * MiB,
  messages: 256 * MiB,
  usage: 16 * MiB,
  recording: 4096 * MiB,
  screenshots: 1024 * MiB,
  log: 2 * MiB,
  logFiles: 20,
};
