import { sql } from 'kysely';
import type { Event } from '../contract/events.ts';
import type { Database } from './db.ts';

/** Text numbers that the users of an account may use; `all` for owners and admins. */
type Access = ReadonlyMap<number, 'all' | ReadonlySet<number>>;

/**
 * The recipients of events, by text number. An account's data is cached until a change of it is announced
 * (`accessChangedOf`, server/notify.ts), so that a number taken away is silent from that commit on.
 */
export function createSocketAccess(database: Database) {
  const known = new Map<number, Promise<Access>>();

  function accessOf(accountId: number): Promise<Access> {
    let access = known.get(accountId);
    if (access === undefined) {
      access = findAccess(database, accountId);
      known.set(accountId, access);
      const mine = access;
      access.catch(() => {
        if (known.get(accountId) === mine) known.delete(accountId);
      });
    }
    return access;
  }

  return {
    forget(accountId: number): void {
      known.delete(accountId);
    },
    forgetAll(): void {
      known.clear();
    },
    /** The users of an account who may use a number. */
    async usersOf(accountId: number, textNumberId: number): Promise<number[]> {
      return [...(await accessOf(accountId))].flatMap(([userId, numbers]) =>
        numbers === 'all' || numbers.has(textNumberId) ? [userId] : [],
      );
    },
    /** The users of an account, grouped by the numbers that they may use. */
    async groupsOf(
      accountId: number,
    ): Promise<{ numbers: 'all' | ReadonlySet<number>; userIds: number[] }[]> {
      const groups = new Map<string, { numbers: 'all' | ReadonlySet<number>; userIds: number[] }>();
      for (const [userId, numbers] of await accessOf(accountId)) {
        const name = numbers === 'all' ? 'all' : [...numbers].join();
        const group = groups.get(name);
        if (group === undefined) groups.set(name, { numbers, userIds: [userId] });
        else group.userIds.push(userId);
      }
      return [...groups.values()];
    },
  };
}

/**
 * The events for a user with these numbers. Others are left out. An event of a conversation with an unknown
 * number loses its ids and becomes "refetch the lists".
 */
export function eventsFor(
  numbers: 'all' | ReadonlySet<number>,
  events: readonly Event[],
  numberOf: (conversationId: number) => number | undefined,
): Event[] {
  if (numbers === 'all') return [...events];
  return events.flatMap((event): Event[] => {
    if (!('ConversationID' in event)) return [event];
    const number = 'TextNumberID' in event ? event.TextNumberID : numberOf(event.ConversationID);
    if (number === undefined) return [{ type: 'conversations.changed' }];
    return numbers.has(number) ? [event] : [];
  });
}

async function findAccess(database: Database, accountId: number): Promise<Access> {
  // The rule of usableTextNumbers. Owners and admins use every number, so a new number for them changes
  // nothing here.
  const { rows } = await sql<{ userId: number; isManager: boolean; numbers: number[] }>`
    select u.user_id as "userId", u.role <> 'user' as "isManager", array(
      select t.text_number_id from user_text_numbers t
      join text_numbers n on n.account_id = t.account_id and n.text_number_id = t.text_number_id
      where t.account_id = u.account_id and t.user_id = u.user_id and n.released_at is null
      order by t.text_number_id) as numbers
    from users u where u.account_id = ${accountId} and u.is_active`.execute(database.system);
  return new Map(
    rows.map(({ userId, isManager, numbers }) => [userId, isManager ? 'all' : new Set(numbers)]),
  );
}
