import type pg from 'pg';

/** An organization with one registered number and enough credits. */
export async function makeSender(
  db: pg.Pool,
  phone: string,
  aggregatorId: 2 | 5 | 6,
): Promise<{ accountId: number; numberId: number }> {
  const account = await db.query<{ account_id: string }>(
    "insert into accounts (company_name, credit_balance) values ('Bench', 100000000) returning account_id",
  );
  const accountId = Number(account.rows[0]?.account_id);
  await db.query(
    `insert into credit_entries (account_id, kind, balance_delta, reserved_delta, balance_after, reserved_after)
     values ($1, 'grant', 100000000, 0, 100000000, 0)`,
    [accountId],
  );
  const number = await db.query<{ text_number_id: string }>(
    `insert into text_numbers (account_id, phone, name, registration_status, aggregator_id)
     values ($1, $2, 'Bench', 'Registered', $3) returning text_number_id`,
    [accountId, phone, aggregatorId],
  );
  return { accountId, numberId: Number(number.rows[0]?.text_number_id) };
}

/**
 * `count` texts in the ledger and the outbox, one a phone, with their credits reserved, as a broadcast
 * will make them: one statement, one commit.
 */
export async function addTexts(
  db: pg.Pool,
  /** `after`: how many phones to leave out, so that no two sends go to the same. */
  sender: { accountId: number; numberId: number; after?: number },
  aggregatorId: 2 | 5 | 6,
  count: number,
): Promise<void> {
  const client = await db.connect();
  try {
    await client.query('begin');
    await client.query(
      `with made as (
         insert into messages (account_id, text_number_id, phone, is_inbound, status, origin, body, credits)
         select $1, $2, '1' || (2010000000 + i)::text, false, 'waiting', 'broadcast',
           'Harlow Creek Schools: all schools close at 1:30 PM today, ice is forecast. Number ' || i, 1
         from generate_series($5::int + 1, $5::int + $3::int) as i
         returning account_id, message_id, text_number_id, phone
       )
       insert into outbox (account_id, message_id, text_number_id, aggregator_id, phone, priority)
       select account_id, message_id, text_number_id, $4, phone, 5 from made`,
      [sender.accountId, sender.numberId, count, aggregatorId, sender.after ?? 0],
    );
    await client.query(
      `with moved as (
         update accounts set credit_reserved = credit_reserved + $2 where account_id = $1
         returning account_id, credit_balance, credit_reserved
       )
       insert into credit_entries (account_id, kind, balance_delta, reserved_delta, balance_after, reserved_after)
       select account_id, 'reserve', 0, $2, credit_balance, credit_reserved from moved`,
      [sender.accountId, count],
    );
    await client.query("select enqueue('send_messages', '{}', null, null, 25, 0)");
    await client.query('commit');
  } finally {
    client.release();
  }
}

export async function countByStatus(db: pg.Pool): Promise<Record<string, number>> {
  const { rows } = await db.query<{ status: string; many: string }>(
    'select status, count(*) as many from messages group by status',
  );
  return Object.fromEntries(rows.map((row) => [row.status, Number(row.many)]));
}

/** The ledger sums to the balance and the reserve. */
export async function ledgerHolds(db: pg.Pool): Promise<boolean> {
  const { rows } = await db.query<{ holds: boolean }>(
    `select bool_and(a.credit_balance = e.balance and a.credit_reserved = e.reserved) as holds
     from accounts a join lateral (
       select sum(balance_delta) as balance, sum(reserved_delta) as reserved
       from credit_entries e where e.account_id = a.account_id) e on true`,
  );
  return rows[0]?.holds ?? false;
}
