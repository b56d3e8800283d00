import { sql } from 'kysely';
import { scopeLabel } from '../../contract/scopes.ts';
import { nowMs } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Trx } from '../db.ts';
import { composeMail, type MailParts } from '../mails/compose-mail.ts';
import { queueMails } from '../mails/queue-mails.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor } from '../serve.ts';

interface ToldKey {
  accountId: number;
  /** The user that the key acts as. */
  userId: number;
  name: string;
}

/** The key's user, and every owner: a key that another user created in their name must not stay unnoticed. */
async function listToTell(trx: Trx, { accountId, userId }: ToldKey) {
  return trx
    .selectFrom('users')
    .select(['user_id as userId', 'email', 'time_zone as timeZone'])
    .where('account_id', '=', accountId)
    .where('is_active', '=', true)
    .where('email', '<>', '')
    .where((where) => where.or([where('user_id', '=', userId), where(sql<string>`role`, '=', 'owner')]))
    .orderBy('user_id')
    .limit(50)
    .execute();
}

async function mailAbout(
  trx: Trx,
  key: ToldKey,
  kind: string,
  partsFor: (timeZone: string) => MailParts,
): Promise<void> {
  const people = await listToTell(trx, key);
  await queueMails(
    trx,
    people.map(({ userId, email, timeZone }) => ({
      ...composeMail(partsFor(timeZone)),
      ...{ accountId: key.accountId, userId, kind, to: email },
    })),
  );
}

const whatTheyDo = {
  made: { verb: 'made', title: 'A new API key' },
  rotated: { verb: 'gave a new secret to', title: 'An API key has a new secret' },
  widened: { verb: 'changed what may be done with', title: 'An API key may do more' },
  revoked: { verb: 'revoked', title: 'An API key was revoked' },
} as const;

/** A key was created, got a new secret, may do more than before or was revoked. */
export async function tellOfChange(
  trx: Trx,
  config: Config,
  actor: Actor,
  key: {
    userId: number;
    name: string;
    scopes: readonly string[];
    /** Of a key that was changed. */
    addresses?: readonly string[];
    did: keyof typeof whatTheyDo;
  },
): Promise<void> {
  const { verb, title } = whatTheyDo[key.did];
  await mailAbout(trx, { ...key, accountId: actor.accountId }, 'api-key', (timeZone) => ({
    subject: `${title}: ${key.name}`,
    title,
    paragraphs: [
      `${actor.name} ${verb} the API key “${key.name}” on ${whenIn(timeZone)}, from ${actor.address || 'an unknown address'}.`,
      ...(key.did === 'revoked'
        ? ['Programs that use it are refused from now on.']
        : [
            `With it, a program can work in Muster: ${key.scopes.map(scopeLabel).join('; ')}.`,
            ...(key.did === 'widened' ? [addressesOf(key.addresses ?? [])] : []),
            'Is that right? Then there is nothing to do. If not, revoke the key and change your password.',
          ]),
    ],
    action: { label: 'API keys', url: `${config.PUBLIC_URL}/settings/developers` },
    foot: 'You get this email because you are an account owner or the key acts in your name.',
  }));
}

function addressesOf(addresses: readonly string[]): string {
  return addresses.length === 0
    ? 'It can be used from any address.'
    : `It can be used from ${addresses.join(', ')}.`;
}

/**
 * A key was used from an address that it is not limited to: it may be stolen. Reported at most once a day.
 */
export async function tellOfWrongAddress(
  trx: Trx,
  config: Config,
  key: { accountId: number; userId: number; apiKeyId: number; keyName: string; address: string },
): Promise<void> {
  const { accountId, userId, apiKeyId, keyName, address } = key;
  const first = await trx
    .updateTable('api_keys')
    .set({ refused_at: sql`now()`, refused_address: address })
    .where('account_id', '=', accountId)
    .where('api_key_id', '=', apiKeyId)
    .where((where) =>
      where.or([
        where('refused_at', 'is', null),
        where('refused_at', '<', sql<Date>`now() - interval '1 day'`),
      ]),
    )
    .returning('api_key_id')
    .executeTakeFirst();
  if (first === undefined) return;
  await recordEvents(trx, { accountId, address }, [{ kind: 'apiKey.refused', id: apiKeyId }]);
  await notify(trx, accountId, [{ type: 'apikeys.changed' }]);
  await mailAbout(trx, { accountId, userId, name: keyName }, 'api-key-refused', (timeZone) => ({
    subject: `An API key was tried from a wrong address: ${keyName}`,
    title: 'An API key was tried from a wrong address',
    paragraphs: [
      `Somebody used the API key “${keyName}” from ${address} on ${whenIn(timeZone)}. The key isn’t allowed there, so nothing was done.`,
      'If that is a machine of yours, add its address to the key. If not, the key may be stolen: revoke it.',
    ],
    action: { label: 'API keys', url: `${config.PUBLIC_URL}/settings/developers` },
    foot: 'You get this email at most once a day for each key.',
  }));
}

function whenIn(timeZone: string): string {
  const form = { dateStyle: 'long', timeStyle: 'short', timeZone } as const;
  return new Intl.DateTimeFormat('en-US', form).format(nowMs());
}
