import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { GuardThreadData } from './reports.ts';

/** Starts the guard's thread; `data.port` moves into it. */
export type StartGuardWorker = (data: GuardThreadData) => Worker;

const thisFile = import.meta.filename;
/** From source it is beside this file; a bundle is beside the recorder's. */
const PROGRAM = thisFile.endsWith('.ts') ? join(import.meta.dirname, 'main.ts') : join(import.meta.dirname, 'guard.js');

export const startGuardWorker: StartGuardWorker = (data) =>
  new Worker(PROGRAM, { workerData: data, transferList: [data.port], name: 'guard', execArgv: [], env: {} });
