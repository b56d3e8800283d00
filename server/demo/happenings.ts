import { sql } from 'kysely';
import type { EventKind } from '../../contract/event-kinds.ts';
import type { Trx } from '../db.ts';

interface Happening {
  /** Hours before now. */
  ago: number;
  who: 'demo-owner' | 'demo-admin' | 'demo-user' | null;
  kind: EventKind;
  /** Finds its object. */
  about?: 'broadcast' | 'contact' | 'group' | 'template' | 'demo-user' | 'number';
  changes?: Record<string, unknown>;
  count?: number;
}

const agents = {
  'demo-owner': ['Chrome on Mac', '203.0.113.24'],
  'demo-admin': ['Chrome on Windows', '203.0.113.81'],
  'demo-user': ['Safari on iPhone', '198.51.100.17'],
} as const;

/** A few days at the district, for the audit log of the demo. */
const happenings: readonly Happening[] = [
  {
    ago: 1,
    who: 'demo-admin',
    kind: 'user.updated',
    about: 'demo-user',
    changes: { CanSeeAllRoster: [false, true], CallThrottle: [1, 40] },
  },
  { ago: 1.1, who: null, kind: 'broadcast.completed', about: 'broadcast' },
  { ago: 1.3, who: 'demo-owner', kind: 'broadcast.sent', about: 'broadcast' },
  { ago: 1.6, who: 'demo-user', kind: 'file.importStarted', count: 2097 },
  {
    ago: 2.2,
    who: 'demo-user',
    kind: 'contact.updated',
    about: 'contact',
    changes: { LastName: ['Smith', 'Smith-Lane'] },
  },
  { ago: 4, who: 'demo-owner', kind: 'session.started', changes: { Method: 'password' } },
  {
    ago: 20,
    who: 'demo-admin',
    kind: 'group.updated',
    about: 'group',
    changes: { Name: ['Bus riders', 'Bus 14 riders'] },
  },
  { ago: 22, who: 'demo-admin', kind: 'template.updated', about: 'template' },
  { ago: 23, who: 'demo-user', kind: 'conversations.changed', count: 14, changes: { IsDone: [false, true] } },
  { ago: 26, who: 'demo-user', kind: 'session.started', changes: { Method: 'password' } },
  {
    ago: 45,
    who: 'demo-owner',
    kind: 'textNumber.updated',
    about: 'number',
    changes: { Name: ['Office', 'Main office'] },
  },
  { ago: 47, who: 'demo-admin', kind: 'consent.changed', changes: { Consent: ['Opted in', 'Opted out'] } },
  {
    ago: 50,
    who: 'demo-owner',
    kind: 'account.updated',
    changes: { QuietHoursStart: ['9:00 PM', '8:00 PM'] },
  },
  { ago: 71, who: 'demo-admin', kind: 'contacts.exported', count: 2000 },
  { ago: 75, who: 'demo-admin', kind: 'session.started', changes: { Method: 'password' } },
];

const subjects = {
  broadcast: sql`(select max(broadcast_id) from broadcasts b where b.account_id = u.account_id and name <> '')`,
  contact: sql`(select min(person_id) from contacts c where c.account_id = u.account_id)`,
  group: sql`(select min(group_id) from groups g where g.account_id = u.account_id)`,
  template: sql`(select min(template_id) from templates t where t.account_id = u.account_id)`,
  'demo-user': sql`(select user_id from users x where x.user_name = 'demo-user')`,
  number: sql`(select min(text_number_id) from text_numbers n where n.account_id = u.account_id)`,
} as const;

export async function createHappenings(trx: Trx): Promise<void> {
  for (const { ago, who, kind, about, changes, count = 1 } of happenings.toReversed()) {
    const [agent, address] = who === null ? ['', ''] : agents[who];
    await sql`
      insert into events (account_id, created_at, kind, actor_kind, user_id, address, agent, subject_id, subject_count,
        changes)
      select u.account_id, now() - ${ago} * interval '1 hour', ${kind}, ${who === null ? 'system' : 'user'},
        case when ${who === null} then null else u.user_id end, ${address}, ${agent},
        ${about === undefined ? sql`null::bigint` : subjects[about]}, ${count},
        ${changes === undefined ? null : JSON.stringify(changes)}::jsonb
      from users u where u.user_name = ${who ?? 'demo-owner'}`.execute(trx);
  }
}
