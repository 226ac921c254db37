import type { Target } from '../../benchmark/predicate.ts';

/** A page asks for the same few addresses again and again; what it made up anew each time must not fill the memory. */
const REMEMBERED = 500;

/** A target that keeps its verdicts on heads: they depend on nothing else, and are the dear part of a request that goes on. */
export function remembering(target: Target): Target {
  const known = new Map<string, boolean>();
  return {
    ...target,
    matchesHead: (head) => {
      const key = `${head.method} ${head.url}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const verdict = target.matchesHead(head);
      if (known.size >= REMEMBERED) known.clear();
      known.set(key, verdict);
      return verdict;
    },
  };
}
