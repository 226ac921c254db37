/** Percentages of a published or an observed row; null: not measured (a rubric that was not asked). */
export interface ReproducedRow {
  readonly intercepted: number;
  readonly lenient: number | null;
  readonly strict: number | null;
}

export interface Comparison {
  readonly metric: keyof ReproducedRow;
  readonly observed: number;
  readonly published: number;
  /** Observed minus published, in percentage points. */
  readonly difference: number;
  readonly within: boolean;
}

const METRICS = ['intercepted', 'lenient', 'strict'] as const;

/**
 * Compares measured with published figures. A rubric that was not asked is not compared: upstream reads the missing column as 0
 * and fails every lenient-only reproduction (J5). Numbers of runs are not compared.
 * @param tolerance largest allowed difference, in percentage points.
 */
export function compareRows(observed: ReproducedRow, published: ReproducedRow, tolerance: number): Comparison[] {
  return METRICS.flatMap((metric) => {
    const [measured, stated] = [observed[metric], published[metric]];
    if (measured === null || stated === null) return [];
    // Both have one decimal; 56.6 - 54.6 must not exceed a tolerance of 2 by the last bit of a double.
    const difference = Math.round((measured - stated) * 1e6) / 1e6;
    return [{ metric, observed: measured, published: stated, difference, within: Math.abs(difference) <= tolerance }];
  });
}
