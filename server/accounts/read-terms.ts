import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Config, ConfigError } from '../config.ts';

export interface Terms {
  version: string;
  text: string;
}

/** For installations without their own terms. */
const builtIn: Terms = {
  version: 'built-in',
  text: `The organization that runs this installation of Muster provides it to you.

Send texts and calls only to people who agreed to hear from you. When somebody asks you to stop, stop.

Don’t send anything unlawful, misleading or harmful, and don’t try to get around opt-outs, limits or the rules of carriers.

You are responsible for what is sent in your organization’s name. Keep your password to yourself.

Your organization’s contacts and messages belong to your organization. They are kept to provide the service, and are not sold.

The service is provided as it is. Don’t rely on it alone when a life depends on a message.`,
};

/** Read once per process: the file belongs to the operator, who restarts Muster after changing it. */
const read = new Map<string, Terms>();

/** The terms of use that users agree to here. They have to agree again to another version. */
export function currentTerms({
  TERMS_FILE,
  TERMS_VERSION,
}: Pick<Config, 'TERMS_FILE' | 'TERMS_VERSION'>): Terms {
  if (TERMS_FILE === undefined) return { ...builtIn, version: TERMS_VERSION ?? builtIn.version };
  const key = `${TERMS_FILE} ${TERMS_VERSION ?? ''}`;
  let terms = read.get(key);
  if (terms === undefined) {
    const text = readText('TERMS_FILE', TERMS_FILE);
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
    terms = { version: TERMS_VERSION ?? hash, text };
    read.set(key, terms);
  }
  return terms;
}

/** Privacy policy for operators who have none elsewhere: it lists the data that the installation keeps. */
const builtInPrivacy = `The organization that runs this installation of Muster keeps what you and your organization enter here: names, phone numbers, email addresses, groups and notes; the texts and calls that are sent and received, with their pictures, recordings and results; and who agreed to hear from an organization, or asked it to stop.

It also keeps who did what and when, with the network address and the kind of browser, and counts sign-ins that fail. Cookies keep you signed in and recognize your browser.

Texts and calls go through phone companies, emails through a mail server, and card payments through a payment processor: they get what they need for that, and so do other services that the operator or your organization has connected. If there is a help chat, its provider learns your name, your email and the pages that you open. Card numbers aren’t kept here. Nothing is sold.

An organization’s people see what their role allows. To see, correct or delete what is kept of you, ask the organization that texts or calls you. Phone numbers that asked not to be texted stay on that list, so that nobody texts them again.`;

/** Read once per process, as the terms are. */
export function privacyText({ PRIVACY_FILE }: Pick<Config, 'PRIVACY_FILE'>): string {
  return PRIVACY_FILE === undefined ? builtInPrivacy : readText('PRIVACY_FILE', PRIVACY_FILE);
}

function readText(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new ConfigError(`${setting} is wrong: the file can’t be read.`);
  }
}
