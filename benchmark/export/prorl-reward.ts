import { isObject, parseJson } from '../text/json.ts';

/**
 * The reward that a ProRL gateway reads from a Harbor verifier's directory: `reward.txt` when it contains a number, else
 * `reward.json`, as a number or as the mean of an object's numeric members; neither: 0. Between 0 and 1.
 *
 * Because of the mean the verifier must write `reward.txt` (J9): an object with a task ID next to the reward has a mean far above
 * 1, which is capped to a full reward.
 */
export function prorlReward(files: { readonly text: string | null; readonly json: string | null }): number {
  const plain = numberOf((files.text ?? '').trim());
  if (plain !== null) return clamp(plain);
  const parsed = parseJson(files.json ?? '');
  return parsed.ok ? clamp(rewardOf(parsed.value)) : 0;
}

function numberOf(text: string): number | null {
  const value = text === '' ? NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}

function rewardOf(value: unknown): number {
  if (isObject(value)) {
    const numbers = Object.values(value).filter((member) => typeof member === 'number');
    return numbers.length === 0 ? 0 : numbers.reduce((sum, member) => sum + member, 0) / numbers.length;
  }
  return typeof value === 'number' ? value : 0;
}

function clamp(value: number): number {
  return Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0;
}
