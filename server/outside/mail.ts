import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';

export interface OutgoingMail {
  /** The part of the Message-ID before the @: a repeated mail has the same one. */
  key: string;
  to: string;
  subject: string;
  text: string;
  /** '' for none. */
  html: string;
}

/** The result of sending a mail to the mail server. */
export type MailOutcome =
  | { outcome: 'sent' }
  /** Refused permanently, with the server's words. */
  | { outcome: 'refused'; reason: string }
  /** Not now. `isServerDown`: probably no other mail either. */
  | { outcome: 'later'; reason: string; isServerDown: boolean };

/** A mail server, in our terms. */
export interface Mailer {
  /** Never throws, and ends within `mailMs`. */
  send(mail: OutgoingMail): Promise<MailOutcome>;
  close(): void;
}

/** The time-out of one mail, from connecting to the server's last response. */
export const mailMs = 20_000;

/** The configured mail server; undefined without one. */
export function createMailer(config: Config): Mailer | undefined {
  const { SMTP_URL, MAIL_FROM } = config;
  if (SMTP_URL === undefined || MAIL_FROM === undefined) return undefined;
  const domain = MAIL_FROM.slice(MAIL_FROM.lastIndexOf('@') + 1).replace(/>$/, '');
  const transport = createTransport({
    ...serverOf(new URL(SMTP_URL)),
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 10_000,
    // The contents of a mail come from rows: they must never make the library read a file or URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  async function hand({ key, to, subject, text, html }: OutgoingMail): Promise<MailOutcome> {
    try {
      await transport.sendMail({
        from: MAIL_FROM,
        // As a whole, never parsed as a list of several.
        to: { name: '', address: to },
        subject,
        text,
        ...(html === '' ? {} : { html }),
        messageId: `<${key}@${domain}>`,
        // Automatic replies are not wanted.
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      return { outcome: 'sent' };
    } catch (error) {
      return readFailure(error);
    }
  }

  return {
    send: (mail) =>
      Promise.race([
        hand(mail),
        new Promise<MailOutcome>((resolve) => {
          const late = { outcome: 'later', reason: 'no answer in 20 seconds', isServerDown: true } as const;
          setTimeout(() => resolve(late), mailMs).unref();
        }),
      ]),
    close: () => transport.close(),
  };
}

/** Not the URL as a whole: its query could change any setting of the library. */
function serverOf({ protocol, hostname, port, username, password }: URL) {
  const isSecure = protocol === 'smtps:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  };
}

/**
 * A 5xx from the server about this mail is permanent, a 4xx isn't. Errors before the mail itself (no
 * connection, its greeting, the sign-in) are the same for every mail, and a wrong setting will be fixed.
 */
function readFailure(error: unknown): MailOutcome {
  const { code, responseCode, response, command } = error as {
    code?: string;
    responseCode?: number;
    response?: string;
    command?: string;
  };
  const words = String(response ?? '')
    .replace(/\s+/g, ' ')
    .slice(0, 500);
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (isAboutMail && responseCode === undefined && command === 'API')
    return { outcome: 'refused', reason: 'The address can’t be written to.' };
  if (isAboutMail && responseCode !== undefined && responseCode >= 500)
    return { outcome: 'refused', reason: words };
  if (isAboutMail && responseCode !== undefined)
    return { outcome: 'later', reason: words, isServerDown: false };
  const reason =
    responseCode === undefined ? `no connection (${code ?? 'no code'})` : `${code} ${responseCode}`;
  return { outcome: 'later', reason, isServerDown: true };
}
