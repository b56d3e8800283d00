import type pg from 'pg';

/** Words by how often they come. */
const common = `
  the to you and we a is for at in it on be will thank have please can your that are of this if know let see just me not
  there do time ok get with need today come pick what when up but tomorrow school bus late hello hi yes no out or so
  great call home my game practice class meeting form sign week monday friday room team kids early back good morning
`
  .trim()
  .split(/\s+/);
const beginnings =
  'bal cor del fen gar hol jun kel lor mar nor pel quin ros sal tor ul ven wil yar zel bren clay dray'.split(
    ' ',
  );
const middles = 'a e i o u an en in on ar er or al el'.split(' ');
const endings =
  'by dale der don ford gan ham kin land ler ley man mer mond nell pert ry son ster ton vale wick'.split(' ');
const words = [
  ...common,
  ...beginnings.flatMap((start) => middles.flatMap((middle) => endings.map((end) => start + middle + end))),
];

/** Number of conversations of each text number, out of a hundred; the rest belong to the last one. */
const shares = [60, 25, 10, 4];
const sentences = 40_000;

export const broadcastId = 1;

/** The phone of conversation `k`, as people.ts gives it to contact `k`. */
const phoneOf = (k: string) => `('1' || (2010000000 + (${k} * 7919) % 7900000000)::text)`;

/**
 * An inbox as organizations have it: a year of texts that came and went in turn, half of them in one conversation of a
 * hundred; most conversations done, a fifth open, some unread, waiting, snoozed, assigned, tagged, opted out. In sets;
 * the caller has taken away the index of words and makes it again.
 */
export async function addTalks(
  db: pg.Pool,
  account: { accountId: number; numberIds: number[]; userIds: number[]; tagIds: number[] },
  conversations: number,
  messages: number,
): Promise<void> {
  const { accountId, numberIds, userIds, tagIds } = account;
  const client = await db.connect();
  try {
    await client.query("begin; set local work_mem = '256MB'; select setseed(0.5)");
    // A word of rank r comes with a frequency of about 1/(r + 5).
    await client.query(
      `create temp table sentence on commit drop as
       select i, string_agg(($1::text[])[1 + floor(5 * (exp(random() * ln(1 + cardinality($1::text[]) / 5.0)) - 1))::integer], ' ') as words
       from generate_series(1, $2::integer) i, generate_series(1, 3 + i % 4) w group by i`,
      [words, sentences],
    );
    await client.query('create unique index on sentence (i); analyze sentence');
    await client.query('alter table messages disable trigger keep_inserted');
    // Each conversation begins once; after that half of all texts are in one of a hundred.
    await client.query(
      `insert into messages (account_id, text_number_id, phone, is_inbound, status, origin, body, created_at, user_id)
       select $1, ($2::bigint[])[${numberOf('k')}], ${phoneOf('k')}, n % 2 = 0,
         case when n % 2 = 0 then 'received' else 'delivered' end, case when n % 2 = 0 then 'inbound' else 'conversation' end,
         one.words || ' ' || two.words || case when n % 20 = 0 then ' ref ' || n else '' end,
         now() - ($4::bigint - n) * (interval '1 year' / $4::bigint), case when n % 2 = 1 then $5::bigint end
       from (
         select n, case when n <= $3 then n when n % 2 = 0 then 1 + 100 * floor(random() * $3 / 100)
           else 1 + floor(random() * $3) end::bigint as k,
           1 + floor(random() * $6)::integer as first, 1 + floor(random() * $6)::integer as second
         from generate_series(1, $4::bigint) n offset 0) draw
       join sentence one on one.i = first join sentence two on two.i = second
       order by n`,
      [accountId, numberIds, conversations, messages, userIds[0], sentences],
    );
    await client.query('alter table messages enable trigger keep_inserted');
    await client.query('analyze messages');
    await client.query(
      `insert into message_search (account_id, message_id, text_number_id, phone, created_at, search_text)
       select account_id, message_id, text_number_id, phone, created_at, fold_words(body) from messages
       where account_id = $1 order by message_id`,
      [accountId],
    );
    await client.query(
      `insert into conversations (account_id, text_number_id, phone, last_message_id, last_message_at, is_done,
         is_auto_opt_out, snoozed_until, unread_count, waiting_since, assigned_user_id, tag_ids)
       select account_id, text_number_id, phone, last_id, last_at, dice >= 25, dice between 20 and 23,
         case when dice = 24 then now() + interval '1 day' end,
         case when more < 10 then 1 + more % 3 else 0 end, case when more < 15 then last_at end,
         case when more % 10 < 3 then ($2::bigint[])[1 + more % cardinality($2::bigint[])] end,
         case when more % 5 = 0 then array[$3::bigint] when more = 51 then array[$4::bigint] else '{}' end
       from (
         select account_id, text_number_id, phone, max(message_id) as last_id, max(created_at) as last_at,
           hashtext(phone) & 1048575 as hash
         from messages where account_id = $1 group by 1, 2, 3) thread
       cross join lateral (select hash % 100 as dice, hash / 100 % 100 as more) drawn`,
      [accountId, userIds, tagIds[0], tagIds[1]],
    );
    // One tag that a few dozen conversations have, wherever they are.
    await client.query(
      `update conversations set tag_ids = tag_ids || $2::bigint
       where account_id = $1 and hashint8(conversation_id) % (1 + $3::bigint / 40) = 0`,
      [accountId, tagIds[2], conversations],
    );
    await client.query(
      `insert into broadcast_replies (account_id, broadcast_id, conversation_id, replied_at)
       select account_id, $2, conversation_id, last_message_at from conversations
       where account_id = $1 and hashint8(conversation_id + 7) % 10 = 0`,
      [accountId, broadcastId],
    );
    await client.query('commit');
  } finally {
    client.release();
  }
}

function numberOf(k: string): string {
  let upTo = 0;
  const cases = shares.map((share, index) => {
    upTo += share;
    return `when ${k} % 100 < ${upTo} then ${index + 1}`;
  });
  return `case ${cases.join(' ')} else ${shares.length + 1} end`;
}

export const numberCount = shares.length + 1;
