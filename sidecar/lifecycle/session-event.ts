import type { Outcome } from '../../benchmark/outcome/outcome.ts';

/** What the recorder reports to the command that started a local session, one JSON object per line. */
export type SessionEvent =
  | {
      readonly event: 'armed';
      readonly devTools: number;
      readonly control: number;
      readonly proxy: number | null;
      readonly browserPid: number | null;
    }
  | { readonly event: 'intercepted'; readonly url: string; readonly method: string }
  | { readonly event: 'blocked'; readonly reason: string; readonly url: string }
  | {
      readonly event: 'finished';
      readonly outcome: Outcome;
      readonly reason: string;
      readonly message: string;
      readonly stopReason: string;
      readonly evidence: string;
      readonly prefix: string;
    };
