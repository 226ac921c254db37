import { startCatchAll } from './start.ts';

/** The mail server's program. Nothing it logs names a mailbox. */
const domain = process.env['CLAWBENCH_MAIL_DOMAIN'] ?? '';
const adminToken = process.env['CLAWBENCH_MAIL_ADMIN_TOKEN'] ?? '';
if (domain === '' || adminToken.length < 16) {
  process.stderr.write(
    'mail: CLAWBENCH_MAIL_DOMAIN and CLAWBENCH_MAIL_ADMIN_TOKEN (16 characters or more) are needed\n',
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
process.stderr.write(`mail: SMTP on ${String(server.smtpPort)}, web inbox on ${String(server.webPort)}\n`);
const end = (): void => {
  void server.close().then(() => process.exit(0));
};
process.once('SIGTERM', end).once('SIGINT', end);
