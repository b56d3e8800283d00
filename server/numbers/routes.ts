import { sql } from 'kysely';
import * as calls from '../../contract/numbers.ts';
import { usableTextNumbers } from '../access/queries.ts';
import { type App, serve } from '../serve.ts';
import { listUsage } from './list-usage.ts';
import { getTextNumber, selectTextNumber, textNumberMatches, toTextNumber } from './queries.ts';

export function numberRoutes(app: App): void {
  serve(app, calls.listTextNumbers, async (trx, actor, { query }) => {
    const matches = textNumberMatches(query.q);
    const rows = await selectTextNumber(trx, actor)
      .where(matches)
      .orderBy(query.sortby === 'name' ? sql`lower(name)` : 'phone')
      // Of one name, by the number.
      .orderBy('phone')
      .orderBy('text_number_id')
      .limit(query.pagesize)
      .offset((query.page - 1) * query.pagesize)
      .execute();
    const { size } = await usableTextNumbers(trx, actor)
      .where(matches)
      .select((count) => count.fn.countAll<number>().as('size'))
      .executeTakeFirstOrThrow();
    return { Items: rows.map(toTextNumber), Size: size };
  });

  serve(app, calls.listTextNumberUsage, listUsage);

  serve(app, calls.getTextNumber, (trx, actor, { params }) => getTextNumber(trx, actor, params.TextNumberID));
}
