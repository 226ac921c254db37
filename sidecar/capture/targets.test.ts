import { describe, expect, test } from 'vitest';
import { openTargets, type Targets } from './targets.ts';

function attach(targets: Targets, session: string, type: string, parent?: string): ReturnType<Targets['handle']> {
  const targetInfo = { targetId: `T-${session}`, type, url: `https://${session}.test/` };
  const event = { method: 'Target.attachedToTarget', params: { sessionId: session, targetInfo } };
  return targets.handle(parent === undefined ? event : { ...event, sessionId: parent });
}

describe('targets', () => {
  test('a cross-site frame, however deep, belongs to the page that contains it', () => {
    const targets = openTargets();
    expect(attach(targets, 'P', 'page')).toEqual({ session: 'P', parent: null, kind: 'document' });
    attach(targets, 'F', 'iframe', 'P');
    attach(targets, 'G', 'iframe', 'F');
    expect(targets.tabOf('G')).toEqual({ targetId: 'T-P', session: 'P' });
    expect(targets.tabOfFrame('T-G')).toEqual({ targetId: 'T-P', session: 'P' });
    expect(targets.frameUrl('T-F')).toBe('https://F.test/');
  });

  test('a second session of one target is a duplicate', () => {
    const targets = openTargets();
    attach(targets, 'P', 'page');
    const targetInfo = { targetId: 'T-P', type: 'page', url: '' };
    const again = targets.handle({ method: 'Target.attachedToTarget', params: { sessionId: 'Q', targetInfo } });
    expect(again).toEqual({ session: 'Q', parent: null, kind: 'duplicate' });
  });

  test.each(['worker', 'worklet', 'shared_worker', 'service_worker', 'tab', 'webview', 'browser_ui', 'new_kind'])(
    'a %s shows no document: it is resumed, by the session that attached it, and belongs to no tab',
    (type) => {
      const targets = openTargets();
      attach(targets, 'P', 'page');
      expect(attach(targets, 'W', type, 'P')).toEqual({ session: 'W', parent: 'P', kind: 'other' });
      expect(targets.tabOf('W')).toBeNull();
    },
  );

  test('frames follow navigation, keep their fragment, and are removed with their session', () => {
    const targets = openTargets();
    attach(targets, 'P', 'page');
    const frame = { id: 'child', url: 'https://x.test/a', urlFragment: '#b' };
    targets.handle({ method: 'Page.frameNavigated', params: { frame }, sessionId: 'P' });
    expect(targets.frameUrl('child')).toBe('https://x.test/a#b');
    targets.handle({
      method: 'Page.navigatedWithinDocument',
      params: { frameId: 'child', url: 'https://x.test/c' },
      sessionId: 'P',
    });
    expect(targets.frameUrl('child')).toBe('https://x.test/c');
    targets.handle({ method: 'Page.frameDetached', params: { frameId: 'child', reason: 'swap' }, sessionId: 'P' });
    expect(targets.frameUrl('child')).toBe('https://x.test/c');
    targets.handle({ method: 'Target.detachedFromTarget', params: { sessionId: 'P' } });
    expect(targets.frameUrl('child')).toBe('');
    expect(targets.tabOfFrame('child')).toBeNull();
    expect(targets.tabOf('P')).toBeNull();
  });

  test('frames created without end replace the oldest', () => {
    const targets = openTargets();
    attach(targets, 'P', 'page');
    for (let i = 0; i < 6_000; i++) {
      const frame = { id: `f${String(i)}`, url: `https://x.test/${String(i)}` };
      targets.handle({ method: 'Page.frameNavigated', params: { frame }, sessionId: 'P' });
    }
    expect(targets.frameUrl('f0')).toBe('');
    expect(targets.frameUrl('f5999')).toBe('https://x.test/5999');
  });

  test('malformed events change nothing', () => {
    const targets = openTargets();
    expect(targets.handle({ method: 'Target.attachedToTarget', params: {} })).toBeNull();
    expect(targets.handle({ method: 'Page.frameNavigated', params: { frame: 1 }, sessionId: 'P' })).toBeNull();
    expect(targets.tabOf('nothing')).toBeNull();
  });
});
