import type { ConformanceCase } from '../../conformance/case-file.ts';
import { attach } from './attach.ts';
import { autoFocus } from './auto-focus.ts';
import { browserE2e } from './browser-e2e.ts';
import type { RecorderParts } from './recorder-parts.ts';

/** Runs a case with a real browser. @returns the result in the shape of `expected`. */
export type BrowserGroup = (one: ConformanceCase, parts: RecorderParts) => Promise<unknown>;

/** Groups that run on a real Chromium; `auto_focus` also has a check without one. */
export const BROWSER_GROUPS: Readonly<Record<string, BrowserGroup>> = {
  attach,
  auto_focus: autoFocus,
  browser_e2e: browserE2e,
};
