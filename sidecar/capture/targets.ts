import { isObject } from '../../benchmark/text/json.ts';
import type { CdpEvent } from './cdp.ts';

/**
 * Which session belongs to which tab, and which frame shows which URL, from the events alone. A cross-site frame is a
 * target of its own below the page that contains it; screenshots and focus belong to the page.
 */
export interface Targets {
  /** @returns the new session, when the event attached one. */
  readonly handle: (event: CdpEvent) => NewSession | null;
  /** The tab of a session: its target and the page's own session. */
  readonly tabOf: (session: string) => Tab | null;
  /** The tab that contains a frame. */
  readonly tabOfFrame: (frameId: string) => Tab | null;
  readonly frameUrl: (frameId: string) => string;
}
export interface Tab {
  readonly targetId: string;
  readonly session: string;
}
export interface NewSession {
  readonly session: string;
  /** The session that attached it, the only one that can detach it; null: the browser's own. */
  readonly parent: string | null;
  /** `duplicate`: the target has a session already. `other`: it shows no document (a worker, a worklet). */
  readonly kind: 'document' | 'duplicate' | 'other';
}

interface TargetSession {
  readonly targetId: string;
  readonly type: string;
  readonly parent: string | null;
}
interface Frame {
  readonly session: string;
  readonly url: string;
}

const SHOWS_A_DOCUMENT: ReadonlySet<string> = new Set(['page', 'iframe']);

/** A page that creates frames without end must not fill the recorder's memory. */
const MAX_FRAMES = 5_000;
const LONGEST_URL = 4_096;

export function openTargets(): Targets {
  const sessions = new Map<string, TargetSession>();
  const frames = new Map<string, Frame>();

  const setFrame = (id: string, frame: Frame): void => {
    frames.delete(id);
    frames.set(id, frame);
    if (frames.size > MAX_FRAMES) for (const oldest of frames.keys()) return void frames.delete(oldest);
  };
  const attached = (event: CdpEvent): NewSession | null => {
    const session = event.params['sessionId'];
    const info = event.params['targetInfo'];
    if (typeof session !== 'string' || !isObject(info)) return null;
    const targetId = String(info['targetId']);
    const type = String(info['type']);
    const parent = event.sessionId ?? null;
    if (!SHOWS_A_DOCUMENT.has(type)) return { session, parent, kind: 'other' };
    if ([...sessions.values()].some((known) => known.targetId === targetId))
      return { session, parent, kind: 'duplicate' };
    sessions.set(session, { targetId, type, parent });
    // A page's main frame, and a cross-site frame, have the id of their target.
    setFrame(targetId, { session, url: String(info['url']).slice(0, LONGEST_URL) });
    return { session, parent, kind: 'document' };
  };
  const detached = (event: CdpEvent): void => {
    const session = String(event.params['sessionId']);
    sessions.delete(session);
    for (const [id, frame] of frames) if (frame.session === session) frames.delete(id);
  };
  const navigated = (event: CdpEvent): void => {
    const frame = event.params['frame'];
    if (!isObject(frame) || event.sessionId === undefined) return;
    const url = `${String(frame['url'])}${typeof frame['urlFragment'] === 'string' ? frame['urlFragment'] : ''}`;
    setFrame(String(frame['id']), { session: event.sessionId, url: url.slice(0, LONGEST_URL) });
  };
  const navigatedWithin = (event: CdpEvent): void => {
    const { frameId, url } = event.params;
    if (event.sessionId === undefined || typeof frameId !== 'string') return;
    setFrame(frameId, { session: event.sessionId, url: String(url).slice(0, LONGEST_URL) });
  };
  const handlers: Readonly<Record<string, (event: CdpEvent) => void>> = {
    'Target.detachedFromTarget': detached,
    'Page.frameNavigated': navigated,
    'Page.navigatedWithinDocument': navigatedWithin,
    'Page.frameAttached': ({ params, sessionId }) => {
      const id = String(params['frameId']);
      if (sessionId !== undefined && !frames.has(id)) setFrame(id, { session: sessionId, url: '' });
    },
    // A frame that is swapped continues in a session of its own, which may have been attached already.
    'Page.frameDetached': ({ params }) => {
      if (params['reason'] !== 'swap') frames.delete(String(params['frameId']));
    },
  };
  const tabOf = (session: string): Tab | null => {
    let at: string | null = session;
    for (let depth = 0; at !== null && depth < 50; depth++) {
      const known = sessions.get(at);
      if (known === undefined) return null;
      if (known.type === 'page') return { targetId: known.targetId, session: at };
      at = known.parent;
    }
    return null;
  };
  return {
    handle: (event) => {
      if (event.method === 'Target.attachedToTarget') return attached(event);
      handlers[event.method]?.(event);
      return null;
    },
    tabOf,
    tabOfFrame: (frameId) => {
      const frame = frames.get(frameId);
      return frame ? tabOf(frame.session) : null;
    },
    frameUrl: (frameId) => frames.get(frameId)?.url ?? '',
  };
}
