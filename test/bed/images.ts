import { run } from './commands.ts';

/** References of the images by name, as `npm run images -- --json` prints them. */
export type ImageReferences = Readonly<Record<string, string>>;

/** Builds what has changed, loads it into the cluster and returns the references. */
export async function ensureImages(): Promise<ImageReferences> {
  const said = await run(process.execPath, ['images/main.ts', '--json'], { limitMs: 30 * 60_000 });
  const last = said.trim().split('\n').at(-1) ?? '{}';
  return JSON.parse(last) as ImageReferences;
}
