import { specialGroups } from '../../contract/contacts.ts';
import type { Trx } from '../db.ts';
import { schools } from './people.ts';

const messages = [
  {
    title: 'School closed',
    body: 'Harlow Creek Schools: All schools are closed today. After-care is closed too. We’ll text you by 6 PM about tomorrow.',
    spoken_text:
      'This is Harlow Creek Schools. All schools are closed today. After-care is closed too. We will call or text you by six in the evening about tomorrow.',
  },
  {
    title: 'Lockdown',
    body: 'Harlow Creek Schools: We are in lockdown. Students and staff are safe inside. Please stay away from the school and keep this line free. More by text soon.',
    spoken_text:
      'This is Harlow Creek Schools. We are in lockdown. Students and staff are safe inside. Please stay away from the school. We will text you as soon as there is news.',
  },
  {
    title: 'Severe weather',
    body: 'Harlow Creek Schools: Tornado warning. Students are sheltering in place. Please don’t drive to school until the warning ends. We’ll text when it does.',
    spoken_text:
      'This is Harlow Creek Schools. There is a tornado warning. Students are sheltering in place. Please do not drive to school until the warning ends. We will text you when it does.',
  },
];

/** Three messages and their groups, ready for a drill. */
export async function createEmergencies(trx: Trx, accountId: number): Promise<void> {
  for (const message of messages) {
    await trx
      .insertInto('emergency_messages')
      .values({ account_id: accountId, ...message })
      .execute();
  }
  const groups = await trx
    .selectFrom('groups')
    .select(['group_id', 'name'])
    .where('account_id', '=', accountId)
    .where('name', 'in', [...schools, 'Staff'])
    .execute();
  const idOf = new Map(groups.map(({ group_id, name }) => [name, group_id]));
  await trx
    .insertInto('emergency_settings')
    .values({
      account_id: accountId,
      list_ids: [specialGroups.everyone, ...[...schools, 'Staff'].flatMap((name) => idOf.get(name) ?? [])],
    })
    .execute();
}
