import { sep } from 'node:path';

/**
 * Whether a path is a folder or inside it, by name. Pass real paths if symbolic links matter: suites and bundles come from
 * elsewhere, and a link in one may point anywhere.
 */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
