import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { parseJson } from '../../../benchmark/text/json.ts';
import type { RequestRow } from '../../../benchmark/bundle/request-row.ts';
import { openEvidenceSession } from '../../../sidecar/evidence/evidence.fixture.ts';
import type { Capture, InterceptionEvent } from '../../../sidecar/contracts.ts';
import type { Context } from '../../../sidecar/lifecycle/context.ts';
import { onInterception, type Intercepted } from '../../../sidecar/lifecycle/set-up/on-interception.ts';

/** The evidence of one case, written by the recorder's own parts from the events of interception. */
export interface Recording {
  readonly event: (event: InterceptionEvent) => void;
  /** Closes the files and reads what a run's bundle would contain. May be called once. */
  end(): Promise<CaseEvidence>;
}

export interface CaseEvidence {
  /** Rows of `requests.jsonl`. */
  readonly requests: readonly RequestRow[];
  /** `interception.json`; null when there is none. */
  readonly interception: Readonly<Record<string, unknown>> | null;
}

/** @param evalSchema the task's, as in the case. */
export async function recordCase(evalSchema: unknown, capture: Capture): Promise<Recording> {
  const { evidence, dirs, end } = await openEvidenceSession();
  const nothing = (): undefined => undefined;
  // A run's other parts (its clock, its metrics, its store) do not affect what is written about a request.
  const context = {
    held: { capture },
    log: pino({ level: 'silent' }),
    now: Date.now,
    onSessionEvent: nothing,
    loop: { dispatch: nothing },
    metrics: { escaped: nothing },
  } as unknown as Context;
  const attempt = { evidence, loaded: { task: { evalSchema } }, controlPort: 7878 } as Intercepted;
  const data = join(dirs.evidence, 'data');
  return {
    event: (event) => onInterception(context, attempt, event),
    end: async () => {
      await evidence.close();
      const rows = await readFile(join(data, 'requests.jsonl'), 'utf8');
      const interception = await readFile(join(data, 'interception.json'), 'utf8').catch(() => null);
      await end();
      return {
        requests: rows
          .split('\n')
          .filter(Boolean)
          .map((line) => parsed(line) as RequestRow),
        interception: interception === null ? null : (parsed(interception) as CaseEvidence['interception']),
      };
    },
  };
}

function parsed(text: string): unknown {
  const result = parseJson(text);
  if (!result.ok) throw new Error(`evidence is no JSON: ${text.slice(0, 200)}`);
  return result.value;
}
