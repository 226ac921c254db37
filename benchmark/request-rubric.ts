/** The two rubrics over the caught request, as files and upstream's tables spell them. */
export type RequestRubric = 'strict' | 'lenient';
