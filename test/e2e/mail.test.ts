import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { kubectl, portForward, type Forward } from '../e2e-cluster/commands.ts';
import { secretManifest } from '../e2e-cluster/namespace.ts';
import { MAIL_DOMAIN } from '../e2e-cluster/open-e2e-cluster.ts';
import { demoStore } from '../demo/evidence.ts';
import { applyAll, completed, objectAt, objectsOf, probeRun, runStatus, startServer } from './probe.fixture.ts';

/** A sign-up that needs its mail, with the chart's own mail server; and what is left of a mailbox when its Pod is killed. */

const namespace = inject('namespace');
const operatorNamespace = inject('operatorNamespace');
const TOKEN = inject('mailToken');
const INBOX = `http://clawbench-mail.${operatorNamespace}.svc`;
const CREDENTIALS = '/my-info/email_credentials.json';
const names: string[] = [];
let store: Forward;
let mail: Forward;

const ours = (...args: string[]): Promise<string> => kubectl(['-n', namespace, ...args]);

beforeAll(async () => {
  [store, mail] = await Promise.all([
    portForward(namespace, 'service/s3', 9000),
    portForward(operatorNamespace, 'service/clawbench-mail', 80),
  ]);
  await applyAll([
    secretManifest(namespace, 'mail', { domain: MAIL_DOMAIN, webUrl: INBOX, adminToken: TOKEN }),
    secretManifest(namespace, 'mail-static', {
      email: 'mine@own.test',
      password: 'a-password-of-mine',
      loginUrl: 'https://own.test/',
    }),
  ]);
  const env = [
    { name: 'MAIL_HOST', value: `clawbench-mail.${operatorNamespace}.svc` },
    { name: 'MAIL_PORT', value: '25' },
  ];
  await startServer(namespace, { name: 'signup', program: 'signup.js', port: 8083, env });
}, 120_000);
afterAll(async () => {
  store.stop();
  mail.stop();
  await ours('delete', 'cbr', ...names, '--ignore-not-found', '--timeout=90s');
  await ours('delete', 'pod,service', 'signup', '--ignore-not-found', '--grace-period=1', '--timeout=30s');
}, 150_000);

async function start(name: string, steps: readonly object[], mailBlock: object): Promise<void> {
  names.push(name);
  const network = { map: [{ host: 'signup.demo.test', address: `signup.${namespace}.svc:8083` }] };
  const task = { eval_schema: { url_pattern: 'signup\\.demo\\.test/accounts$', method: 'POST' } };
  await applyAll([probeRun(namespace, { name, steps, task, spec: { network, mail: mailBlock } })]);
}

interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly provider: string;
}

/** What the agent of a running Pod is given. */
async function credentials(name: string): Promise<Credentials> {
  const started = async (): Promise<boolean> =>
    (await runStatus(namespace, name)).attempts?.at(-1)?.times?.agentStarted !== undefined;
  await expect.poll(started, { timeout: 120_000, interval: 1000 }).toBe(true);
  return JSON.parse(await ours('exec', `${name}-a1`, '-c', 'harness', '--', 'cat', CREDENTIALS)) as Credentials;
}

/** Whether one can sign in with it. */
async function mailboxIsThere({ email, password }: Credentials): Promise<boolean> {
  const body = new URLSearchParams({ email, password });
  const { status } = await fetch(`${mail.url}/login`, { method: 'POST', body, redirect: 'manual' });
  return status === 303;
}

const SIGN_UP = [
  { waitMs: 6000, goto: 'http://signup.demo.test/' },
  { eval: "fetch('/register', {method: 'POST', body: new URLSearchParams({email: '{email}'})}).then(r => r.text())" },
  { goto: '{login_url}' },
  {
    eval: "document.querySelector('[name=email]').value = '{email}', document.querySelector('[name=password]').value = '{password}', document.forms[0].submit()",
  },
  { waitMs: 2000, until: 'document.querySelector(\'a[href^="/mail/"]\')' },
  { eval: 'document.querySelector(\'a[href^="/mail/"]\').click()' },
  { waitMs: 2000, eval: "[...document.links].find((link) => link.href.includes('/open?code=')).click()" },
  { waitMs: 2000, eval: 'document.forms[0].submit()' },
];

describe('a task whose site sends a mail', () => {
  let given: Credentials;

  it('is done through the inbox, in the browser', async () => {
    await start('mail-signup', SIGN_UP, { provider: 'SMTPCatchAll', secretRef: { name: 'mail' } });
    given = await credentials('mail-signup');
    expect(await mailboxIsThere(given)).toBe(true);
    expect(given.email).toMatch(new RegExp(`^cb[0-9a-f]{12}@${MAIL_DOMAIN}$`));
    expect(await completed(namespace, 'mail-signup')).toMatchObject({
      outcome: 'Passed',
      intercepted: true,
      attempt: 1,
    });
  }, 400_000);

  it('leaves no mailbox, and a bundle with its address and neither password nor token', async () => {
    expect(await mailboxIsThere(given)).toBe(false);
    const objects = await objectsOf(await demoStore(store.url, inject('s3Keys'), 'mail-signup'));
    expect(JSON.parse(objectAt(objects, '/run-meta.json'))).toMatchObject({ email_used: given.email });
    for (const secret of [given.password, TOKEN])
      expect([...objects].filter(([, text]) => text.includes(secret)).map(([key]) => key)).toEqual([]);
  });
});

/** By the node's own view of its processes, which on the embedded cluster is ours. */
function freezeRecorder(run: string): void {
  const isIt = (pid: string): boolean => {
    try {
      const text = (name: string): string => readFileSync(`/proc/${pid}/${name}`, 'utf8');
      return text('cmdline').includes('/app/recorder.js') && text('environ').includes(`"run":"${run}"`);
    } catch {
      return false;
    }
  };
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && isIt(name));
  expect(pid).toBeDefined();
  process.kill(Number(pid), 'SIGSTOP');
}

interface SweepJob {
  readonly metadata: { readonly ownerReferences?: unknown };
  readonly spec: {
    readonly suspend?: boolean;
    readonly template: { readonly spec: { readonly automountServiceAccountToken: boolean } };
  };
}

/** Its sweep Job; null: there is none (any more). */
async function sweepJobOf({ email }: Credentials): Promise<SweepJob | null> {
  const text = await ours('get', 'job', `sweep-${email.split('@')[0] ?? ''}`, '--ignore-not-found', '-o', 'json');
  return text.trim() === '' ? null : (JSON.parse(text) as SweepJob);
}

describe('a Pod that is killed', () => {
  const begin = async (name: string): Promise<Credentials> => {
    await start(name, [{ waitMs: 200_000 }], { provider: 'SMTPCatchAll', secretRef: { name: 'mail' } });
    const given = await credentials(name);
    const job = await sweepJobOf(given);
    expect([job?.spec.suspend, job?.spec.template.spec.automountServiceAccountToken]).toEqual([true, false]);
    expect(job?.metadata.ownerReferences).toBeUndefined();
    // Frozen, so that no process of the Pod can do anything at its own end.
    freezeRecorder(name);
    return given;
  };
  const swept = async (given: Credentials): Promise<void> => {
    await expect.poll(() => mailboxIsThere(given), { timeout: 120_000, interval: 1000 }).toBe(false);
    await expect.poll(() => sweepJobOf(given), { timeout: 90_000, interval: 1000 }).toBeNull();
  };

  it('leaves its mailbox to the sweep', async () => {
    const given = await begin('mail-killed');
    await ours('delete', 'pod', 'mail-killed-a1', '--force', '--grace-period=0');
    expect(await mailboxIsThere(given)).toBe(true);
    expect(await completed(namespace, 'mail-killed')).toMatchObject({ outcome: 'Infrastructure' });
    await swept(given);
  }, 500_000);

  it('and whose run is deleted with it, leaves it too', async () => {
    const given = await begin('mail-deleted');
    await ours('delete', 'cbr', 'mail-deleted', '--wait=false');
    await ours('delete', 'pod', 'mail-deleted-a1', '--force', '--grace-period=0');
    expect(await mailboxIsThere(given)).toBe(true);
    await swept(given);
    expect(await ours('get', 'cbr', 'mail-deleted', '--ignore-not-found')).toBe('');
  }, 500_000);
});

describe("the user's own mailbox", () => {
  it('is given to the run and never swept', async () => {
    await start('mail-static', [{ waitMs: 3000 }], { provider: 'Static', secretRef: { name: 'mail-static' } });
    expect(await credentials('mail-static')).toMatchObject({ email: 'mine@own.test', password: 'a-password-of-mine' });
    const status = await completed(namespace, 'mail-static');
    expect(status).toMatchObject({ outcome: 'Failed', reason: 'AgentExited' });
    expect(await ours('get', 'jobs', '-l', 'claw-bench.com/run=mail-static', '-o', 'name')).toBe('');
    const objects = await objectsOf(await demoStore(store.url, inject('s3Keys'), 'mail-static'));
    expect([...objects].filter(([, text]) => text.includes('a-password-of-mine'))).toEqual([]);
  }, 300_000);
});

describe('a Secret that does not fit', () => {
  it('ends the run before any agent, with the key that is missing', async () => {
    await start('mail-wrong', [{}], { provider: 'PurelyMail', secretRef: { name: 'mail-static' } });
    const status = await completed(namespace, 'mail-wrong');
    expect(status).toMatchObject({ outcome: 'Infrastructure', reason: 'MailboxFailed' });
    expect(status.message).toContain('the key apiKey of the Secret is missing');
  }, 300_000);
});
