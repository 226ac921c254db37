import { isPlaceholder } from '../task/task.ts';
import { lintError, lintWarning, type LintFinding } from './lint-finding.ts';
import { patternReach } from './pattern-reach.ts';
import { patternDomain, siteDomain } from './target-site.ts';
import { unescapedCharacter } from './unescaped-characters.ts';

const PATTERN = '/eval_schema/url_pattern';

/**
 * Checks a pattern that compiles: whether a browser can send a request that it matches, whether it is anchored, and
 * whether it is about a site that the task names.
 * @param sites `metadata.sites_involved`.
 */
export function lintUrlPattern(pattern: string, sites: unknown): LintFinding[] {
  if (isPlaceholder(pattern)) {
    const message =
      'the pattern is the placeholder, so no request is ever intercepted and only the Agentic rubric can score the task';
    return [lintWarning('placeholder', PATTERN, message)];
  }
  if (pattern === '') {
    const message =
      'the pattern is empty, so requests are logged but never intercepted; set it to the URL of the last step';
    return [lintWarning('pattern', PATTERN, message)];
  }
  return [...lintReach(pattern), ...lintAnchor(pattern), ...lintSites(pattern, sites)];
}

function lintReach(pattern: string): LintFinding[] {
  const found = unescapedCharacter(pattern);
  if (found !== null) {
    const message = `never matches what it seems to require: ${found.text} in a regular expression ${found.means}; write ${found.write}`;
    return [lintError('never', PATTERN, message)];
  }
  const reach = patternReach(pattern);
  if (reach.kind !== 'never') return [];
  const written = reach.written === null ? 'that is not a URL that a browser sends' : `browsers write ${reach.written}`;
  return [
    lintError(
      'never',
      PATTERN,
      `never matches: the pattern requires ${reach.asked}, but ${written}; change the pattern`,
    ),
  ];
}

/** A pattern is searched in the whole URL: another site that carries the target in its query matches as well. */
function lintAnchor(pattern: string): LintFinding[] {
  if (/^(?:\(\?[a-zA-Z]+\))?(?:\((?:\?:)?)*(?:\^|\\A)/.test(pattern)) return [];
  const message =
    'the pattern is not anchored, so a URL of another site with the target in its query also matches; start it with ^https?://';
  return [lintWarning('unanchored', PATTERN, message)];
}

function lintSites(pattern: string, sites: unknown): LintFinding[] {
  const target = patternDomain(pattern);
  const named = (Array.isArray(sites) ? (sites as unknown[]) : [])
    .filter((site): site is string => typeof site === 'string')
    .map(siteDomain)
    .filter((site) => site !== null);
  if (target === null || named.length === 0 || named.includes(target)) return [];
  const message = `the request goes to ${target}, which is not in sites_involved (${named.join(', ')}); add it if this is intended`;
  return [lintWarning('site', PATTERN, message)];
}
