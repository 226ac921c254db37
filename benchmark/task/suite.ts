import { SUITE_ARCHIVE } from '../protocol/pod-paths.ts';
import { caseStem, compareCases } from './case-name.ts';
import { sha256Hex } from '../text/sha256.ts';

/**
 * Reads a suite from a list of files, wherever they come from (archive, folder, ConfigMap, S3); readers resolve symbolic
 * links and pass paths with `/`. Both of upstream's layouts are supported: a directory per case, or flat files.
 */

export interface SuiteFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface SuiteCase {
  /** `case_name`: directory name, or file name without `.json`. */
  readonly name: string;
  /** What upstream lists: the directory name, or the file name with `.json`. */
  readonly listed: string;
  /** Path of the task file in the list. */
  readonly taskPath: string;
  readonly taskBytes: Uint8Array;
  /** SHA-256 (hex) of the raw task file. */
  readonly sha256: string;
  /** The task directory's files by path below it, the task file included; `extra_info` paths are looked up here. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

export interface Suite {
  /** In task order ({@link compareCases}). */
  readonly cases: readonly SuiteCase[];
}

/** Whether a JSON file next to tasks is not a task: upstream's report, the schema, a package file. */
export function isIgnoredJson(path: string): boolean {
  return NOT_A_CASE.has(baseName(path));
}

/** The suite has two cases of one name, or none. */
export class SuiteError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SuiteError';
  }
}

const TASK_FILE = 'task.json';
const NOT_A_CASE: ReadonlySet<string> = new Set(['eligibility-report.json', 'task.schema.json', 'package.json']);

/**
 * Finds the cases.
 * @param files every file of the suite; a common leading folder is allowed.
 * @throws SuiteError when there is no case, or when two have the same name.
 */
export function readSuite(files: readonly SuiteFile[]): Suite {
  const clean = files
    .map((file) => ({ path: cleanPath(file.path), bytes: file.bytes }))
    .filter((file) => isVisible(file.path));
  const directories = clean.filter((file) => baseName(file.path) === TASK_FILE).map((file) => directoryOf(file.path));
  const root = rootOf(clean, directories);
  const cases = [...directories.map((at) => directoryCase(clean, at)), ...flatCases(clean, root)];
  cases.sort((left, right) => compareCases(left.listed, right.listed));
  const repeated = cases.find((one, index) => cases[index - 1]?.name === one.name);
  if (repeated !== undefined)
    throw new SuiteError(`the suite has two cases named ${JSON.stringify(repeated.name)}; rename one`);
  if (cases.length === 0) {
    throw new SuiteError('the suite has no cases; expected <case>/task.json directories or flat <case>.json files');
  }
  return { cases };
}

function directoryCase(files: readonly SuiteFile[], directory: string): SuiteCase {
  const below = directory === '' ? '' : `${directory}/`;
  const own = files.filter((file) => file.path.startsWith(below));
  const name = baseName(directory) || 'task';
  return suiteCase(
    name,
    name,
    `${below}${TASK_FILE}`,
    new Map(own.map((file) => [file.path.slice(below.length), file.bytes])),
  );
}

function flatCases(files: readonly SuiteFile[], root: string): SuiteCase[] {
  const below = root === '' ? '' : `${root}/`;
  const inRoot = new Map(
    files.filter((file) => file.path.startsWith(below)).map((file) => [file.path.slice(below.length), file.bytes]),
  );
  const names = [...inRoot.keys()].filter(
    (path) => /^[^/]+\.json$/.test(path) && path !== TASK_FILE && !NOT_A_CASE.has(path),
  );
  // A single task given as its own directory: JSON files beside task.json are its material, not cases.
  if (inRoot.has(TASK_FILE)) return [];
  return names.map((name) => ({ ...suiteCase(caseStem(name), name, name, inRoot), taskPath: `${below}${name}` }));
}

function suiteCase(name: string, listed: string, taskPath: string, files: ReadonlyMap<string, Uint8Array>): SuiteCase {
  const bytes =
    files.get(files.has(TASK_FILE) && taskPath.endsWith(TASK_FILE) ? TASK_FILE : taskPath) ?? new Uint8Array();
  return { name, listed, taskPath, taskBytes: bytes, sha256: sha256Hex(bytes), files };
}

/** The folder whose children are the cases: parent of the shallowest case directory, else the shallowest JSON file's. */
function rootOf(files: readonly SuiteFile[], directories: readonly string[]): string {
  const candidates =
    directories.length > 0
      ? directories.map(directoryOf)
      : files.filter((file) => file.path.endsWith('.json')).map((file) => directoryOf(file.path));
  return candidates.reduce((best, path) => (depth(path) < depth(best) ? path : best), candidates[0] ?? '');
}

function cleanPath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

/** Archives made on a Mac carry `._*` and `__MACOSX`; hidden files are never tasks. */
function isVisible(path: string): boolean {
  const parts = path.split('/');
  return path !== '' && !parts.includes('..') && !parts.some((part) => part.startsWith('.') || part === '__MACOSX');
}

function directoryOf(path: string): string {
  const cut = path.lastIndexOf('/');
  return cut === -1 ? '' : path.slice(0, cut);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function depth(path: string): number {
  return path === '' ? 0 : path.split('/').length;
}

/** The message of `Accepted=False` with reason `SuiteNotFound`, for a batch and for a standalone run; no full stop. */
export function suiteNotFound(name: string, namespace: string): string {
  return `spec.suite.configMapRef: ConfigMap ${name} with ${SUITE_ARCHIVE} in its binaryData not found in namespace ${namespace}; create it with "clawbench tasks push"`;
}
