/** The questions that a judge can be asked about a run, as the API spells them. */
export const RUBRICS = ['Strict', 'Lenient', 'Answer', 'Agentic'] as const;
/** One of {@link RUBRICS}; the batch's `passRubric` decides `Passed`. */
export type Rubric = (typeof RUBRICS)[number];

/** The two rubrics about the intercepted request, as files and upstream's tables spell them. */
export type RequestRubric = 'strict' | 'lenient';

/** Every rubric that is a single question to a model; `answer` is about the text that a research task submitted. */
export type PromptRubric = RequestRubric | 'answer';
