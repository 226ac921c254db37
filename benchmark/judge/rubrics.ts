/** The rubrics that a judge can apply to a run, as named in the API. */
export const RUBRICS = ['Strict', 'Lenient', 'Answer', 'Agentic'] as const;
/** One of {@link RUBRICS}; the batch's `passRubric` decides `Passed`. */
export type Rubric = (typeof RUBRICS)[number];

/** The two rubrics about the intercepted request, as named in files and upstream's tables. */
export type RequestRubric = 'strict' | 'lenient';

/** The rubrics that ask a model a single question; `answer` is about the text that a research task submitted. */
export type PromptRubric = RequestRubric | 'answer';
