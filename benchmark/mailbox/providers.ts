/** Who makes the mailbox of a run, as `spec.mail.provider` names them (docs/mail.md). */
export const MAIL_PROVIDERS = ['None', 'PurelyMail', 'SMTPCatchAll', 'Static'] as const;
export type MailProviderName = (typeof MAIL_PROVIDERS)[number];
