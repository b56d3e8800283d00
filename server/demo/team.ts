import { sql } from 'kysely';
import { keepTakenName } from '../accounts/users/keep-taken-name.ts';
import type { Trx } from '../db.ts';

interface Colleague {
  name: [first: string, last: string];
  role: 'admin' | 'user';
  phone: string;
  /** Minutes since their last activity. */
  seenMinutesAgo: number | null;
  /** Their text numbers, by index. */
  numbers: number[];
  state: 'active' | 'deactivated' | 'invited';
}

const dayMinutes = 24 * 60;

const colleagues: readonly Colleague[] = [
  {
    name: ['Alicia', 'Romero'],
    role: 'user',
    phone: '14235550161',
    seenMinutesAgo: 64,
    numbers: [0, 2],
    state: 'active',
  },
  {
    name: ['Tom', 'Becker'],
    role: 'user',
    phone: '14235550162',
    seenMinutesAgo: dayMinutes,
    numbers: [1],
    state: 'active',
  },
  {
    name: ['Keisha', 'Grant'],
    role: 'admin',
    phone: '14235550163',
    seenMinutesAgo: 12 * dayMinutes,
    numbers: [],
    state: 'active',
  },
  {
    name: ['Ruth', 'Doyle'],
    role: 'user',
    phone: '14235550164',
    seenMinutesAgo: 240 * dayMinutes,
    numbers: [0],
    state: 'deactivated',
  },
  {
    name: ['Nate', 'Kowalski'],
    role: 'user',
    phone: '14235550165',
    seenMinutesAgo: null,
    numbers: [1],
    state: 'invited',
  },
];

/** Phones and last visits for the three who have demo names, and five colleagues beside them. */
export async function createTeam(
  trx: Trx,
  of: { accountId: number; ownerId: number; numberIds: readonly number[]; passwordHash: string },
): Promise<void> {
  await sql`
    update users set caller_id = '14235550100', last_seen_at = now() - (user_id - ${of.ownerId}) * interval '7 minutes',
      phone = '14235550' || (150 + user_id - ${of.ownerId})::text
    where account_id = ${of.accountId}`.execute(trx);
  for (const { name, role, phone, seenMinutesAgo, numbers, state } of colleagues) {
    const [first_name, last_name] = name;
    const { user_id } = await trx
      .insertInto('users')
      .values({
        account_id: of.accountId,
        user_name: `${first_name}.${last_name}`.toLowerCase(),
        password_hash: of.passwordHash,
        first_name,
        last_name,
        email: `${first_name.toLowerCase()}@harlowcreek.example`,
        phone,
        caller_id: '14235550100',
        role,
        is_active: state === 'active',
        can_see_all_roster: true,
        can_see_all_broadcasts: role === 'admin',
        can_see_group_audio: true,
        agreed_to_terms_at: state === 'invited' ? null : sql<Date>`now()`,
        last_seen_at:
          seenMinutesAgo === null ? null : sql<Date>`now() - ${seenMinutesAgo} * interval '1 minute'`,
      })
      .returning('user_id')
      .executeTakeFirstOrThrow();
    await keepTakenName(trx, of.accountId, user_id);
    for (const place of numbers) {
      const text_number_id = of.numberIds[place];
      if (text_number_id === undefined) continue;
      await trx
        .insertInto('user_text_numbers')
        .values({ account_id: of.accountId, user_id, text_number_id })
        .execute();
    }
    if (state === 'invited') {
      // Nobody got the link of this invitation. It can be sent again or withdrawn.
      await sql`
        insert into invitations (account_id, user_id, token_hash, invited_by_user_id, sent_at, expires_at)
        values (${of.accountId}, ${user_id}, sha256(gen_random_uuid()::text::bytea), ${of.ownerId},
          now() - interval '2 days', now() + interval '5 days')`.execute(trx);
    }
  }
}
