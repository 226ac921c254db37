import { pino } from 'pino';

/** The judge Job's log: one line per state change, never a body, never a secret. */
export const log = pino({ name: 'judge' });
