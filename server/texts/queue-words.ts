import { sql } from 'kysely';
import { keepsItself } from '../keep-itself.ts';

/**
 * Parts of a statement that inserts texts: they queue those that the inbox finds by their words, for the index. They
 * read `made`: account_id, message_id, origin and body of each text. The statement joins `queued`, which is one row, or
 * a trigger would queue them a second time.
 */
export const queueWords = sql`
    words as (
      insert into message_search_queue (account_id, message_id)
      select account_id, message_id from made where origin in ('conversation', 'inbound') and body <> ''
    ),
    queued as (select ${keepsItself})`;
