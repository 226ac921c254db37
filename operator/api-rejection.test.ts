import { describe, expect, it } from 'vitest';
import { ForeignObject } from '../kube/ensure-owned.ts';
import { ApiError, ApiUnreachable } from '../kube/errors.ts';
import { isApiRejection } from './api-rejection.ts';
import { play } from './testing/play.fixture.ts';

const answer = (status: number, reason = '', method = 'POST'): ApiError =>
  new ApiError({ status, reason, message: 'it says no', method, path: '/pods' });

const REJECTIONS: [string, Error][] = [
  ['400', answer(400)],
  ['403, as of a quota', answer(403, 'Forbidden')],
  ['404, as of a namespace', answer(404, 'NotFound')],
  ['413', answer(413)],
  ['422', answer(422, 'Invalid')],
  ['a name that a stranger has', new ForeignObject('Pod', 'bench/p', undefined)],
];
const PASSING: [string, Error][] = [
  ['401', answer(401, 'Unauthorized')],
  ['409, a conflict', answer(409, 'Conflict')],
  ['a namesake that is gone by now', answer(404, 'NotFound', 'GET')],
  ['429', answer(429)],
  ['500', answer(500)],
  ['503', answer(503)],
  ['no answer', new ApiUnreachable('gone', { timedOut: true })],
  ['a mistake of ours', new TypeError('x is not a function')],
];

it.each(REJECTIONS)('%s is a rejection', (_, error) => expect(isApiRejection(error)).toBe(true));
it.each(PASSING)('%s is not a rejection', (_, error) => expect(isApiRejection(error)).toBe(false));

describe('a Pod that the API server rejects', () => {
  it.each(REJECTIONS)(
    '%s: its run waits and says why, without an attempt, and continues once the pod is accepted',
    async (_, no) => {
      let rejects = true;
      let waits: (string | undefined)[] = [];
      const end = await play({
        kill: ({ verb, path }) => {
          if (verb === 'POST' && path.endsWith('/pods') && rejects) throw no;
          return null;
        },
        event: (world, turn) => {
          if (turn < 20 || !rejects) return;
          rejects = false;
          const runs = world.stores.clawbenchruns.list();
          waits = runs.map(({ status }) => `${status?.phase ?? ''} ${status?.pendingReason ?? ''}`);
        },
      });
      const why = `Queued The pod was rejected: ${no.message}.`;
      expect(waits.toSorted()).toEqual(['Queued ', 'Queued ', why, why]);
      expect(new Set(Object.values(end.outcomes))).toEqual(new Set(['Complete/Passed/JudgedMatch']));
      expect(end.world.stores.clawbenchruns.list().map(({ status }) => status?.attempt)).toEqual([1, 1, 1, 1]);
    },
  );

  it.each(PASSING)('%s: the reconcile fails, and the queue repeats it', async (_, error) => {
    const kill = ({ verb, path }: { verb: string; path: string }): null => {
      if (verb === 'POST' && path.endsWith('/pods')) throw error;
      return null;
    };
    await expect(play({ kill })).rejects.toBe(error);
  });
});
