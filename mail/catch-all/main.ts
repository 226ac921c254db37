import { startCatchAll } from './start.ts';

/** The program of the mail server. Its logs do not name mailboxes. */
const domain = process.env['CLAWBENCH_MAIL_DOMAIN'] ?? '';
const adminToken = process.env['CLAWBENCH_MAIL_ADMIN_TOKEN'] ?? '';
if (domain === '' || adminToken.length < 16) {
  process.stderr.write(
    'mail: CLAWBENCH_MAIL_DOMAIN and CLAWBENCH_MAIL_ADMIN_TOKEN (at least 16 characters) must be set\n',
  );
  process.exit(2);
}
const server = await startCatchAll({
  domain,
  adminToken,
  smtpPort: Number(process.env['CLAWBENCH_MAIL_SMTP_PORT'] ?? 2525),
  webPort: Number(process.env['CLAWBENCH_MAIL_WEB_PORT'] ?? 8025),
  host: '0.0.0.0',
});
process.stderr.write(
  `mail: SMTP listens on port ${String(server.smtpPort)}, the web inbox on port ${String(server.webPort)}\n`,
);
const end = (): void => {
  void server.close().then(() => process.exit(0));
};
process.once('SIGTERM', end).once('SIGINT', end);
