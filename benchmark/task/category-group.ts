/**
 * The eight groups by which the paper reports. Exact metaclasses are tried first; the V2 suite names its thirty differently, so
 * the words of the name are tried next; everything else is `Other`.
 */
export const CATEGORY_GROUPS = ['Daily', 'Finance', 'Work', 'Dev', 'Academic', 'Travel', 'Social', 'Pets'] as const;
export type CategoryGroup = (typeof CATEGORY_GROUPS)[number] | 'Other';

const EXACT: Readonly<Record<string, CategoryGroup>> = {
  'daily-life': 'Daily',
  'entertainment-hobbies': 'Daily',
  'beauty-personal-care': 'Daily',
  'shopping-commerce': 'Daily',
  'home-services-maintenance': 'Daily',
  'finance-investment': 'Finance',
  'office-secretary-tasks': 'Work',
  'job-search-hr': 'Work',
  'personal-management': 'Work',
  'creation-init': 'Dev',
  'automation-workflows': 'Dev',
  'dev-tech': 'Dev',
  'education-learning': 'Academic',
  'academia-research': 'Academic',
  travel: 'Travel',
  'automotive-vehicle-services': 'Travel',
  'rating-voting': 'Social',
  'nonprofit-charity': 'Social',
  'deletion-revocation': 'Social',
  'government-civic': 'Social',
  'pet-animal-care': 'Pets',
};

/** The first match wins, so the more specific words come first. */
const BY_WORD: readonly (readonly [CategoryGroup, readonly string[]])[] = [
  ['Pets', ['pet', 'pets', 'animal']],
  ['Finance', ['finance', 'financial', 'investment', 'insurance', 'budget', 'banking', 'tax']],
  ['Travel', ['travel', 'automotive', 'vehicle', 'car', 'flight', 'hotel', 'transport']],
  ['Academic', ['education', 'learning', 'academia', 'academic', 'research', 'language']],
  ['Work', ['office', 'job', 'jobs', 'hr', 'career', 'work', 'productivity', 'secretary', 'management', 'email']],
  ['Dev', ['dev', 'developer', 'tech', 'automation', 'creation', 'software', 'website', 'design']],
  [
    'Social',
    ['rating', 'voting', 'review', 'nonprofit', 'charity', 'deletion', 'government', 'civic', 'social', 'community'],
  ],
  [
    'Daily',
    [
      'daily',
      'life',
      'entertainment',
      'hobbies',
      'beauty',
      'shopping',
      'home',
      'food',
      'fitness',
      'health',
      'personal',
      'cooking',
      'sports',
      'gaming',
      'music',
    ],
  ],
];

/** The group of a task's `metaclass` and `class`. */
export function categoryGroup(metaclass: string, klass: string): CategoryGroup {
  const meta = metaclass.trim().toLowerCase();
  const sub = klass.trim().toLowerCase();
  if (meta === 'daily-life' && sub === 'pets') return 'Pets';
  if (meta === 'personal-management' && (sub === 'insurance-compare' || sub === 'budget-mgmt')) return 'Finance';
  if (Object.hasOwn(EXACT, meta)) return EXACT[meta] ?? 'Other';
  const words = new Set(meta.split(/[^a-z]+/));
  return BY_WORD.find(([, names]) => names.some((name) => words.has(name)))?.[0] ?? 'Other';
}
