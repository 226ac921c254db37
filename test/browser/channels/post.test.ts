import { runChannels } from './run-channels.ts';

/** Channels of tasks whose terminal request is a POST. */
runChannels('POST');
