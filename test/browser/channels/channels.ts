import { BROWSER_SERVICES } from './browser-services.ts';
import type { Channel } from './channel.ts';
import { EXTENSION } from './extension.ts';
import { FORMS } from './forms.ts';
import { FRAMES } from './frames.ts';
import { NAVIGATIONS } from './navigations.ts';
import { PAGE_REQUESTS } from './page-requests.ts';
import { PASSIVE_LOADS } from './passive-loads.ts';
import { SOCKETS } from './sockets.ts';
import { SPELLINGS } from './spellings.ts';
import { WORKERS } from './workers.ts';

/** Every known channel, by family. */
export const FAMILIES: Readonly<Record<string, readonly Channel[]>> = {
  'the page': PAGE_REQUESTS,
  forms: FORMS,
  frames: FRAMES,
  workers: WORKERS,
  navigations: NAVIGATIONS,
  'passive loads': PASSIVE_LOADS,
  "the browser's own services": BROWSER_SERVICES,
  sockets: SOCKETS,
  spellings: SPELLINGS,
  'an extension': EXTENSION,
};
