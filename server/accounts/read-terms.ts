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
    const text = readTerms(TERMS_FILE);
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
    terms = { version: TERMS_VERSION ?? hash, text };
    read.set(key, terms);
  }
  return terms;
}

function readTerms(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new ConfigError('TERMS_FILE is wrong: the file can’t be read.');
  }
}
