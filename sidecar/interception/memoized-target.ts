import { createMemo } from '../../benchmark/text/memo.ts';
import type { Target } from '../../benchmark/request/predicate.ts';

/**
 * Memoizes a target's decision by method and URL. It depends on nothing else, and is the expensive part of a request
 * that continues; a page requests the same few addresses over and over.
 */
export function memoizeTarget(target: Target): Target {
  const memo = createMemo<boolean>({ keys: 500, keyLength: 2048 });
  return {
    ...target,
    matchesHead: (head) => memo(`${head.method} ${head.url}`, () => target.matchesHead(head)),
  };
}
