import { describe, expect, it } from 'vitest';
import { copyExtraInfo, ExtraInfoError, normalizeExtraInfo } from './extra-info.ts';
import { buildAgentPrompt } from './agent-prompt.ts';
import { myInfo } from '../persona/my-info.ts';
import { MY_INFO_FILES } from '../protocol/pod-paths.ts';
import { NO_MAILBOX } from '../persona/persona.ts';

describe('normalizeExtraInfo', () => {
  it.each([
    [undefined, []],
    ['  be quick ', [{ description: 'be quick' }]],
    [
      [' ', 5, true],
      [{ description: '5' }, { description: 'True' }],
    ],
    [{ path: 'p', text: 't' }, [{ path: 'p', description: 't' }]],
    [[{ content: { x: true, y: ['é', null] } }], [{ description: '{"x": true, "y": ["\\u00e9", null]}' }]],
    [[{ zzz: 1 }], [{ description: '{"zzz": 1}' }]],
  ])('%j', (value, entries) => {
    expect(normalizeExtraInfo(value)).toEqual({ entries, warnings: [] });
  });
  it('describes a file without a description, and warns about the rest', () => {
    expect(normalizeExtraInfo([{ path: 'p' }]).entries[0]?.description).not.toBe('');
    expect(normalizeExtraInfo([null, [1], { path: 5, note: 'n' }])).toMatchObject({
      entries: [{ description: 'n' }],
      warnings: { length: 3 },
    });
  });
});

describe('copyExtraInfo', () => {
  const files = new Map(['extra_info/a.json', 'b/a.json', 'c.txt'].map((path) => [path, new Uint8Array([1])]));
  const copy = (path: string): string[] =>
    copyExtraInfo([{ path, description: 'd' }], files, new Set()).files.map((one) => one.name);
  it('copies flat by base name', () => {
    expect(copy('extra_info/a.json')).toEqual(['a.json']);
    expect(copy('./b/../c.txt')).toEqual(['c.txt']);
  });
  it.each(['/etc/hostname', '../x', 'a/../../x', 'C:\\x'])('refuses %s', (path) => {
    expect(() => copy(path)).toThrow(ExtraInfoError);
  });
  it('warns about missing files and never replaces a file', () => {
    const entries = ['missing.json', 'extra_info/a.json', 'b/a.json', 'c.txt'].map((path) => ({
      path,
      description: 'd',
    }));
    const copied = copyExtraInfo(entries, files, new Set(['c.txt']));
    expect(copied.files.map((one) => one.name)).toEqual(['a.json']);
    expect(copied.warnings).toHaveLength(3);
  });
});

describe('buildAgentPrompt', () => {
  const text = buildAgentPrompt({
    instruction: 'Buy one pear.',
    extraInfo: [{ path: 'extra_info/m.json', description: 'the menu' }, 'be quick'],
  });
  it("begins with the task's own words and names the files", () => {
    expect(text.startsWith('Buy one pear.\n')).toBe(true);
    for (const name of Object.values(MY_INFO_FILES)) expect(text).toContain(name);
  });
  it('lists files by base name, then notes', () => {
    expect(text.indexOf('\n- m.json: the menu')).toBeGreaterThan(0);
    expect(text.indexOf('\n- be quick')).toBeGreaterThan(text.indexOf('- m.json'));
  });
  it('has no such lists without extra info', () => {
    expect(buildAgentPrompt({ instruction: 'x', extraInfo: [] })).not.toContain('Further');
  });
});

describe('myInfo', () => {
  const mailbox = { email: 'cb1@mail.test', password: 'secret', loginUrl: 'https://mail.test/', provider: 'Static' };
  const read = (files: ReadonlyMap<string, Uint8Array>, name: string): Record<string, never> =>
    JSON.parse(new TextDecoder().decode(files.get(name))) as Record<string, never>;
  it('has the keys that tasks rely on, and the mail address of the run', () => {
    const { files, hashes } = myInfo({ extraInfo: undefined }, new Map(), mailbox);
    const profile = read(files, MY_INFO_FILES.profile);
    expect(profile).toMatchObject({
      contact: { email: 'cb1@mail.test' },
      address: { home: { city: expect.any(String) as string } },
      identity: { date_of_birth: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string },
      financial: {
        credit_cards: expect.arrayContaining([
          expect.objectContaining({
            number: expect.any(String) as string,
            expiry: expect.any(String) as string,
            cvv: expect.any(String) as string,
            cardholder_name: expect.any(String) as string,
          }),
        ]) as unknown[],
      },
    });
    expect(Object.keys(profile['contact'] ?? {})).toEqual(['email']);
    expect(read(files, MY_INFO_FILES.mail)).toEqual({
      email: 'cb1@mail.test',
      password: 'secret',
      login_url: 'https://mail.test/',
      provider: 'Static',
    });
    expect(Object.keys(hashes)).toHaveLength(4);
  });
  it("adds the task's files, but never replaces its own", () => {
    const taskFiles = new Map([
      ['x/email_credentials.json', new Uint8Array([1])],
      ['x/menu.json', new Uint8Array([2])],
    ]);
    const info = myInfo(
      { extraInfo: [...taskFiles.keys()].map((path) => ({ path, description: 'd' })) },
      taskFiles,
      NO_MAILBOX,
    );
    expect(info.files.get('menu.json')).toEqual(new Uint8Array([2]));
    expect(read(info.files, MY_INFO_FILES.mail)).toHaveProperty('email', NO_MAILBOX.email);
    expect(info.warnings).toHaveLength(1);
  });
});
