import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { deviceName } from '../../contract/text/device-name.ts';
import { nowMs } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Trx } from '../db.ts';
import { composeMail } from '../mails/compose-mail.ts';
import { queueMails } from '../mails/queue-mails.ts';
import { recordEvents } from '../record-events.ts';
import type { Visitor } from '../serve.ts';
import { endSessionsWhere } from './end-sessions.ts';
import { getSecret } from './queries.ts';
import {
  deviceCookie,
  deviceKeys,
  placeOf,
  readDeviceId,
  readSessionToken,
  sessionCookie,
  sessionHours,
  tokenHash,
} from './rules.ts';

export interface Entering {
  account_id: number;
  user_id: number;
}

export type SignInMethod = 'password' | 'totp' | 'recovery' | 'passkey' | 'sso';

/**
 * A new token at every sign-in; this browser's earlier one stops working. The caller (startSession) has
 * verified the person's identity by everything that the account requires.
 */
export async function openSession(
  visitor: Visitor,
  config: Config,
  person: Entering,
  how: { isKept: boolean; method: SignInMethod; isLimited?: boolean },
): Promise<void> {
  const { database, address, device, request, reply } = visitor;
  const token = randomBytes(32).toString('base64url');
  const deviceId = readDeviceId(request.headers.cookie, config) ?? randomBytes(16).toString('base64url');
  const keys = deviceKeys(await getSecret(database), { id: deviceId, name: deviceName(device), address });
  const by = { accountId: person.account_id, userId: person.user_id, address, agent: deviceName(device) };
  const old = readSessionToken(request.headers.cookie, config);
  await database.system.transaction().execute(async (trx: Trx) => {
    if (old !== undefined) {
      await endSessionsWhere(trx, sql`token_hash = ${tokenHash(old)}`);
    }
    await trx
      .insertInto('sessions')
      .values({
        account_id: person.account_id,
        user_id: person.user_id,
        token_hash: tokenHash(token),
        device,
        address,
        is_kept: how.isKept,
        method: how.method,
        is_limited: how.isLimited ?? false,
        expires_at: sql`now() + ${sessionHours(how.isKept)} * interval '1 hour'`,
      })
      .execute();
    await trx
      .updateTable('users')
      .set({ last_seen_at: sql`now()` })
      .where('account_id', '=', person.account_id)
      .where('user_id', '=', person.user_id)
      .execute();
    if (await isNewDevice(trx, person, keys)) await tellOfDevice(trx, visitor, config, person);
    await recordEvents(trx, by, [
      { kind: 'session.started', changes: { Device: device, Method: how.method } },
    ]);
  });
  reply.header('set-cookie', [
    sessionCookie(token, how.isKept, config),
    // Renewed at every sign-in.
    deviceCookie(deviceId, config),
  ]);
}

/** Remembers the device. It is new when neither its cookie nor its browser and network are known, and others are. */
async function isNewDevice(trx: Trx, person: Entering, keys: Buffer[]): Promise<boolean> {
  const { rows } = await sql<{ known: number; these: number }>`
    select count(*)::int as known, count(*) filter (where device_key = any(${keys}::bytea[]))::int as these
    from known_devices where account_id = ${person.account_id} and user_id = ${person.user_id}`.execute(trx);
  await sql`
    insert into known_devices (account_id, user_id, device_key)
    select ${person.account_id}, ${person.user_id}, key from unnest(${keys}::bytea[]) as key
    on conflict (account_id, user_id, device_key) do update set last_seen_at = now()`.execute(trx);
  const [found] = rows;
  return found !== undefined && found.known > 0 && found.these === 0;
}

async function tellOfDevice(
  trx: Trx,
  { address, device }: Visitor,
  config: Config,
  person: Entering,
): Promise<void> {
  const user = await trx
    .selectFrom('users')
    .select(['email', 'time_zone', 'user_name'])
    .where('account_id', '=', person.account_id)
    .where('user_id', '=', person.user_id)
    .executeTakeFirstOrThrow();
  const name = deviceName(device);
  if (user.email === '') return;
  const mail = composeMail({
    subject: `New sign-in to Muster: ${name}`,
    title: 'New sign-in to your account',
    paragraphs: [
      `Somebody signed in to Muster as ${user.user_name} with a device that we haven’t seen before.`,
      `${name}, ${placeOf(address)} (${address}), ${whenIn(user.time_zone)}.`,
      'Was it you? Then there is nothing to do. If not, sign that device out and change your password.',
    ],
    action: { label: 'Where you’re signed in', url: `${config.PUBLIC_URL}/settings/security` },
    foot: 'You get this email because a new device signed in to your Muster account.',
  });
  await queueMails(trx, [
    { ...mail, accountId: person.account_id, userId: person.user_id, kind: 'new-device', to: user.email },
  ]);
}

function whenIn(timeZone: string): string {
  const form = { dateStyle: 'long', timeStyle: 'short', timeZone } as const;
  return new Intl.DateTimeFormat('en-US', form).format(nowMs());
}
