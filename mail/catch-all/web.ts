import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Mailboxes, StoredMail } from './mailboxes.ts';
import { inboxPage, loginPage, mailPage } from './pages.ts';

const MAX_BODY = 16 * 1024;
const COOKIE = 'clawbench_mail';
/** Maximum number of sessions; beyond it, the oldest are signed out. A run signs in a few times. */
const MAX_SESSIONS = 20_000;
/** Nothing in a mail may run as a script, load resources or be framed. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

interface Web {
  readonly mailboxes: Mailboxes;
  readonly adminToken: string;
  /** Address and password by session. They are checked on each request, so a removed mailbox ends its sessions. */
  readonly sessions: Map<string, { readonly address: string; readonly password: string }>;
}

/** The web inbox, and the API in `/admin/` for the recorder and the sweep Job. */
export function webServer(mailboxes: Mailboxes, adminToken: string): Server {
  const web: Web = { mailboxes, adminToken, sessions: new Map() };
  return createServer((request, response) => {
    answer(web, request, response).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
}

async function answer(web: Web, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  if (path === '/healthz') send(response, 200, 'ok');
  else if (path.startsWith('/admin/mailboxes/')) await admin(web, request, response);
  else if (path === '/login') await login(web, request, response);
  else if (path === '/logout') signOut(web, request, response);
  else showMail(web, request, response, path);
}

async function admin(web: Web, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!isSame(request.headers.authorization ?? '', `Bearer ${web.adminToken}`)) return send(response, 401, '');
  const address = decoded((request.url ?? '').slice('/admin/mailboxes/'.length));
  if (!/^[^@\s]{1,64}@[^@\s]{1,253}$/.test(address)) return send(response, 400, '');
  if (request.method === 'DELETE') return send(response, web.mailboxes.remove(address) ? 204 : 404, '');
  const password = passwordOf(await readBody(request));
  if (request.method !== 'PUT' || password === null) return send(response, 400, '');
  send(response, web.mailboxes.put(address, password) ? 204 : 507, '');
}

async function login(web: Web, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') return send(response, 200, loginPage(false));
  const form = new URLSearchParams(await readBody(request));
  const [address, password] = [form.get('email') ?? '', form.get('password') ?? ''];
  if (web.mailboxes.open(address, password) === null) return send(response, 401, loginPage(true));
  const session = randomBytes(24).toString('base64url');
  web.sessions.set(session, { address, password });
  for (const oldest of web.sessions.keys()) {
    if (web.sessions.size <= MAX_SESSIONS) break;
    web.sessions.delete(oldest);
  }
  response.setHeader('set-cookie', `${COOKIE}=${session}; Path=/; HttpOnly; SameSite=Lax`);
  redirect(response, '/inbox');
}

function signOut(web: Web, request: IncomingMessage, response: ServerResponse): void {
  web.sessions.delete(sessionOf(request));
  redirect(response, '/login');
}

function showMail(web: Web, request: IncomingMessage, response: ServerResponse, path: string): void {
  const who = web.sessions.get(sessionOf(request));
  const mails = who === undefined ? null : web.mailboxes.open(who.address, who.password);
  if (who === undefined || mails === null) return redirect(response, '/login');
  if (path === '/' || path === '/inbox') return send(response, 200, inboxPage(who.address, mails));
  const mail = mailAt(mails, path);
  if (mail === undefined) return send(response, 404, '');
  send(response, 200, mailPage(mail));
}

function mailAt(mails: readonly StoredMail[], path: string): StoredMail | undefined {
  const id = Number(/^\/mail\/(\d{1,9})$/.exec(path)?.[1] ?? NaN);
  return mails.find((mail) => mail.id === id);
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, HEADERS).end(text);
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { ...HEADERS, location }).end();
}

function sessionOf(request: IncomingMessage): string {
  return new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(request.headers.cookie ?? '')?.[1] ?? '';
}

function passwordOf(text: string): string | null {
  try {
    const { password } = JSON.parse(text) as { password?: unknown };
    return typeof password === 'string' && password.length >= 8 ? password : null;
  } catch {
    return null;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Compares in constant time, whatever the lengths. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Error('body too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
