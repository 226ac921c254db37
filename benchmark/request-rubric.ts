/** The two rubrics over the caught request, as files and upstream's tables spell them. */
export type RequestRubric = 'strict' | 'lenient';

/** All rubrics that are one question to a model; `answer` is asked about the text that a research task handed in. */
export type PromptRubric = RequestRubric | 'answer';
