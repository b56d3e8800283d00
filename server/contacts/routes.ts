import { sql } from 'kysely';
import * as calls from '../../contract/contacts.ts';
import { Refusal } from '../../contract/errors.ts';
import { type App, serve } from '../serve.ts';
import { digitsToFind, likeText } from './rules.ts';

export function contactRoutes(app: App): void {
  serve(app, calls.listContacts, async (trx, actor, { params, query }) => {
    if (params.ListID !== calls.specialGroups.everyone) {
      const group = await trx
        .selectFrom('groups')
        .select('group_id')
        .where('account_id', '=', actor.accountId)
        .where('group_id', '=', params.ListID)
        .executeTakeFirst();
      if (group === undefined) throw new Refusal('notFound');
    }
    const digits = digitsToFind(query.q);
    const found = trx
      .selectFrom('contacts')
      .where('contacts.account_id', '=', actor.accountId)
      .where('contacts.deleted_at', 'is', null)
      .$if(!actor.canSeeAllRoster, (rows) => rows.where('contacts.created_by_user_id', '=', actor.userId))
      .$if(query.q !== '', (rows) =>
        rows.where('contacts.search_text', 'like', likeText(digits === '' ? query.q : digits)),
      )
      .$if(params.ListID !== calls.specialGroups.everyone, (rows) =>
        rows.where('contacts.person_id', 'in', (from) =>
          from
            .selectFrom('group_members')
            .select('group_members.person_id')
            .where('group_members.account_id', '=', actor.accountId)
            .where('group_members.group_id', '=', params.ListID),
        ),
      );
    const Items = await found
      .leftJoin('phone_consents', (join) =>
        join
          .onRef('phone_consents.account_id', '=', 'contacts.account_id')
          .onRef('phone_consents.phone', '=', 'contacts.primary_phone'),
      )
      .select([
        'contacts.person_id as PersonID',
        'contacts.first_name as FirstName',
        'contacts.last_name as LastName',
        'contacts.notes as Notes',
        sql<string>`wire_phone(contacts.primary_phone)`.as('PrimaryPhone'),
        sql<string>`wire_phone(contacts.secondary_phone)`.as('SecondaryPhone'),
        sql<string>`wire_phone(contacts.tertiary_phone)`.as('TertiaryPhone'),
        sql<boolean>`coalesce(phone_consents.text_state = 'out', false)`.as('PrimaryPhoneOptedOut'),
      ])
      .orderBy(sql`lower(contacts.last_name)`)
      .orderBy(sql`lower(contacts.first_name)`)
      .orderBy('contacts.person_id')
      .limit(query.pagesize)
      .offset((query.page - 1) * query.pagesize)
      .execute();
    const { size } = await found
      .select((count) => count.fn.countAll<number>().as('size'))
      .executeTakeFirstOrThrow();
    return { Items, Size: size };
  });
}
