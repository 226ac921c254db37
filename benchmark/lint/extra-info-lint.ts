import { copyExtraInfo, ExtraInfoError, normalizeExtraInfo, type ExtraInfo } from '../task/extra-info.ts';
import { MY_INFO_FILES } from '../protocol/pod-paths.ts';
import { lintError, lintWarning, type LintFinding } from './lint-finding.ts';

/**
 * Checks that each file that `extra_info` names exists inside the task's directory and does not clash with another file of
 * `/my-info`.
 * @param files the task directory by relative path; undefined: files are not checked.
 */
export function lintExtraInfo(value: unknown, files: ReadonlyMap<string, Uint8Array> | undefined): LintFinding[] {
  const items = Array.isArray(value) ? (value as unknown[]) : [value];
  const taken = new Set<string>(Object.values(MY_INFO_FILES));
  return items.flatMap((item, index) => {
    const pointer = Array.isArray(value) ? `/extra_info/${String(index)}` : '/extra_info';
    const { entries, warnings } = normalizeExtraInfo(Array.isArray(value) ? [item] : item);
    const said = warnings.map((message) => lintWarning('extra-info', pointer, message));
    return files === undefined
      ? said
      : [...said, ...entries.flatMap((entry) => lintEntry(entry, pointer, files, taken))];
  });
}

function lintEntry(
  entry: ExtraInfo,
  pointer: string,
  files: ReadonlyMap<string, Uint8Array>,
  taken: Set<string>,
): LintFinding[] {
  try {
    const copied = copyExtraInfo([entry], files, taken);
    for (const { name } of copied.files) taken.add(name);
    return copied.warnings.map((message) => lintError('extra-info', `${pointer}/path`, message));
  } catch (error) {
    if (!(error instanceof ExtraInfoError)) throw error;
    return [lintError('extra-info', `${pointer}/path`, `${error.message}; move the file into that directory`)];
  }
}
