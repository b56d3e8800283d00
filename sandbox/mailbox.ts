// A mail server and everybody's mailbox: whatever is mailed arrives here. SMTP without TLS and sign-in, kept in memory.
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { ConfigError } from './config.ts';

export type Mail = {
  ID: string;
  MessageID: string;
  From: string;
  FromName: string;
  To: string[];
  Subject: string;
  Text: string;
  Html: string;
  At: string;
  Read: boolean;
};

const mostMails = 500;
const mostBytes = 32 * 1024 * 1024;
const largestMail = 10 * 1024 * 1024;

/** Treatment of an address by the server, by the part before the @; mail to all others is delivered. */
const mailRules = {
  nobody: { code: 550, words: '5.1.1 No such mailbox here' },
  full: { code: 452, words: '4.2.2 The mailbox is full' },
  later: { code: 451, words: '4.7.1 Greylisted: try again' },
  spam: { code: 554, words: '5.7.1 This looks like spam' },
  silent: undefined,
} as const;
type RuleName = keyof typeof mailRules;

function ruleOf(address: string): RuleName | undefined {
  const name = address.split('@')[0]?.toLowerCase() ?? '';
  return Object.hasOwn(mailRules, name) ? (name as RuleName) : undefined;
}

export class Mailbox {
  readonly #server: SMTPServer;
  readonly #changed: () => void;
  readonly #most: number;
  /** Latest last. */
  #mails: (Mail & { size: number })[] = [];
  #bytes = 0;
  #received = 0;
  /** Addresses that were turned away once and are let in the next time. */
  readonly #greylisted = new Set<string>();
  port = 0;

  /** `most`: how many mails are kept. */
  constructor(changed: () => void, most = mostMails) {
    this.#changed = changed;
    this.#most = most;
    this.#server = new SMTPServer({
      banner: 'Muster sandbox',
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      hideSTARTTLS: true,
      disableReverseLookup: true,
      logger: false,
      size: largestMail,
      socketTimeout: 60_000,
      closeTimeout: 500,
      onRcptTo: ({ address }, _session, answer) => this.#judge(address, answer),
      onData: (stream, session, answer) => {
        const pieces: Buffer[] = [];
        stream.on('data', (piece: Buffer) => pieces.push(piece));
        stream.on('end', () => {
          if (stream.sizeExceeded) return answer(refusal(552, '5.3.4 The mail is too large'));
          const to = session.envelope.rcptTo.map(({ address }) => address);
          if (to.some((address) => ruleOf(address) === 'spam'))
            return answer(refusal(mailRules.spam.code, mailRules.spam.words));
          this.#keep(Buffer.concat(pieces), to).then(() => answer(null), answer);
        });
      },
    });
    // A client that hangs up in the middle is no fault of ours.
    this.#server.on('error', () => undefined);
  }

  /** Resolves once mail is taken. */
  listen(port: number, host: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.server.once('error', (error: NodeJS.ErrnoException) => {
        const sentence =
          error.code === 'EADDRINUSE'
            ? `Port ${port} is in use. Stop the other program, or set SANDBOX_MAIL_PORT to another port.`
            : `The sandbox's mailbox can't listen on ${host}:${port} (${error.code}).`;
        reject(new ConfigError(sentence));
      });
      this.#server.listen(port, host, () => {
        this.port = (this.#server.server.address() as AddressInfo).port;
        resolve();
      });
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** Latest first; to one address, or to all. */
  list(to: string | undefined, limit: number): Mail[] {
    const wanted = to?.toLowerCase();
    return this.#mails
      .filter((mail) => wanted === undefined || mail.To.some((address) => address.toLowerCase() === wanted))
      .slice(-limit)
      .reverse()
      .map(({ size: _, ...mail }) => mail);
  }

  get unread(): number {
    return this.#mails.filter((mail) => !mail.Read).length;
  }

  read(id: string): Mail | undefined {
    const mail = this.#mails.find((each) => each.ID === id);
    if (mail && !mail.Read) {
      mail.Read = true;
      this.#changed();
    }
    return mail;
  }

  empty(): void {
    this.#mails = [];
    this.#bytes = 0;
    this.#greylisted.clear();
    this.#changed();
  }

  #judge(address: string, answer: (error?: Error | null) => void): void {
    const rule = ruleOf(address);
    const isLetIn = rule === undefined || rule === 'spam' || this.#greylisted.has(address);
    if (isLetIn) answer();
    // Silent is never answered: the client has to give up by itself.
    else if (rule !== 'silent') answer(refusal(mailRules[rule].code, mailRules[rule].words));
    if (rule === 'later') this.#greylisted.add(address);
  }

  /** A mail that somebody else wrote: the registry's. */
  deliver(mail: {
    from: string;
    fromName: string;
    to: string;
    subject: string;
    text: string;
    html: string;
  }): void {
    this.#add({
      MessageID: `<registry-${this.#received + 1}@campaignregistry.example>`,
      From: mail.from,
      FromName: mail.fromName,
      To: [mail.to],
      Subject: mail.subject,
      Text: mail.text,
      Html: mail.html,
      size: mail.text.length + mail.html.length,
    });
  }

  async #keep(raw: Buffer, to: string[]): Promise<void> {
    const parsed = await PostalMime.parse(raw);
    this.#add({
      MessageID: parsed.messageId ?? '',
      From: parsed.from?.address ?? '',
      FromName: parsed.from?.name ?? '',
      To: to,
      Subject: parsed.subject ?? '',
      Text: parsed.text ?? '',
      Html: parsed.html ?? '',
      size: raw.length,
    });
  }

  #add(mail: Omit<Mail, 'ID' | 'At' | 'Read'> & { size: number }): void {
    this.#received += 1;
    this.#mails.push({ ...mail, ID: String(this.#received), At: new Date().toISOString(), Read: false });
    this.#bytes += mail.size;
    while (this.#mails.length > this.#most || (this.#bytes > mostBytes && this.#mails.length > 1)) {
      this.#bytes -= this.#mails.shift()?.size ?? 0;
    }
    this.#changed();
  }
}

function refusal(code: number, words: string): Error {
  return Object.assign(new Error(words), { responseCode: code });
}
