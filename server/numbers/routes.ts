import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import * as calls from '../../contract/numbers.ts';
import { digitsToFind } from '../contacts/rules.ts';
import { type App, serve } from '../serve.ts';
import { selectTextNumber, usableTextNumbers } from './queries.ts';

export function numberRoutes(app: App): void {
  serve(app, calls.listTextNumbers, async (trx, actor, { query }) => {
    const text = query.q.toLowerCase();
    const digits = digitsToFind(query.q);
    const matches = sql<boolean>`(${query.q} = '' or strpos(lower(name), ${text}) > 0
      or (${digits} <> '' and strpos(phone, ${digits}) > 0))`;
    const Items = await selectTextNumber(trx, actor)
      .where(matches)
      .orderBy(query.sortby === 'name' ? sql`lower(name)` : 'phone')
      .orderBy('text_number_id')
      .limit(query.pagesize)
      .offset((query.page - 1) * query.pagesize)
      .execute();
    const { size } = await usableTextNumbers(trx, actor)
      .where(matches)
      .select((count) => count.fn.countAll<number>().as('size'))
      .executeTakeFirstOrThrow();
    return { Items, Size: size };
  });

  serve(app, calls.getTextNumber, async (trx, actor, { params }) => {
    const row = await selectTextNumber(trx, actor)
      .where('text_number_id', '=', params.TextNumberID)
      .executeTakeFirst();
    if (row === undefined) throw new Refusal('notFound');
    return row;
  });
}
