import { createMemo } from '../../benchmark/text/memo.ts';
import type { Target } from '../../benchmark/request/predicate.ts';

/**
 * A target that keeps its verdicts on heads. They depend on nothing else, and are the expensive part of a request that
 * goes on; a page asks for the same few addresses again and again.
 */
export function memoizeTarget(target: Target): Target {
  const memo = createMemo<boolean>({ keys: 500, keyLength: 2048 });
  return {
    ...target,
    matchesHead: (head) => memo(`${head.method} ${head.url}`, () => target.matchesHead(head)),
  };
}
