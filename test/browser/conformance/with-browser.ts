import type { ConformanceGroup } from '../../conformance/group.ts';
import { BROWSER_GROUPS } from './groups.ts';
import { startRecorderParts } from './recorder-parts.ts';

/** The groups that need a browser, bound to one. */
export interface WithBrowser {
  readonly groups: Readonly<Record<string, ConformanceGroup>>;
  /** Closes the browser. @throws when a target arrived at the site after its case had ended. */
  readonly close: () => Promise<void>;
}

/** A retry of a blocked request would arrive in this time. */
const LATE_MS = 1_000;

export async function startWithBrowser(): Promise<WithBrowser> {
  const parts = await startRecorderParts();
  return {
    groups: Object.fromEntries(
      Object.entries(BROWSER_GROUPS).map(([name, group]) => [name, (one) => group(one, parts)]),
    ),
    close: async () => {
      await new Promise((resolve) => setTimeout(resolve, LATE_MS));
      const late = parts.site.arrived.filter(({ path }) => path.split('?')[0]?.endsWith('/hit') === true);
      await parts.close();
      if (late.length > 0)
        throw new Error(`arrived at the site: ${late.map(({ method, path }) => `${method} ${path}`).join(', ')}`);
    },
  };
}
