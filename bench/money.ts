/**
 * Money, right to the cent: random purchases, plans and refunds against a processor that fails, with the server killed
 * (kill -9) again and again and started later each time, over two years of renewals. Then the books are compared with the
 * processor's list. Beside that: purchase to usable credits, an invoice as PDF, and a billing history of a million rows.
 *
 *   node bench/money.ts [operations] [kills] [history rows]
 *   node bench/money.ts full                      (100,000 operations, 50 kills)
 *
 * The people don't wait for each other, and nobody waits for the server after a kill: what it has to catch up with runs
 * beside what is bought next. The books are compared once, at the end.
 */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { drawInvoice } from '../server/invoices/draw-invoice.ts';
import { percentile, report, startBench } from './harness.ts';
import { buildOwner, signInOwner } from './owners.ts';
import { findProcess, processorMs } from './processor-time.ts';

const given = process.argv[2] === 'full' ? ['100000', '50'] : process.argv.slice(2);
const operations = Number(given[0] ?? 2000);
const kills = Number(given[1] ?? 10);
const historyRows = Number(given[2] ?? 1_000_000);
const accounts = operations < 500 ? 8 : operations < 20_000 ? 40 : 120;
/** Number of people who do something at a time: enough to keep two processors busy while the disk writes. */
const atOnce = operations < 500 ? 6 : 24;
const dayMs = 86_400_000;
const port = 4282;
const stripe = {
  STRIPE_SECRET_KEY: 'sk_test_sandbox',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox',
  STRIPE_WEBHOOK_SECRET: 'whsec_sandbox',
};
process.env.STRIPE_WEBHOOK_URL = `http://127.0.0.1:${port}/hooks/stripe`;

/** The same run every time. */
let seed = 20_261_118;
const random = () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
};
const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;

const bench = await startBench({ port, numbers: {} });
let shiftMs = 0;
const startServer = () =>
  bench.startServer({
    ...stripe,
    STRIPE_BASE_URL: bench.sandboxUrl,
    STRIPE_SCRIPT_URL: `${bench.sandboxUrl}/stripe.js`,
    SALES_TAX: 'table',
    TAX_RATES: 'TN=9.25',
    LOG_LEVEL: 'silent',
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'shift-clock.ts')).href}`,
    BENCH_CLOCK_SHIFT: String(shiftMs),
  });

interface Payment {
  PaymentID: string;
  AmountCents: number;
  RefundedCents: number;
  Status: string;
}

/** Number of requests by the status of the answer: most have to be paid, or nothing is proved. */
const answers = new Map<number, number>();

interface Payer {
  accountId: number;
  userName: string;
  cookie: string;
}

try {
  const people: Payer[] = [];
  let server = await startServer();
  const clock = startClock();
  for (let index = 0; index < accounts; index += 4)
    people.push(
      ...(await Promise.all([0, 1, 2, 3].map((more) => buildPayer(`bench-payer-${index + more}`)))),
    );
  clock.lap('making accounts');
  await bench.sandbox('PUT', '/processor/faults', {
    ServerError: 0.03,
    WebhookTwice: true,
    WebhookShuffle: true,
    WebhookDelayMs: 50,
  });
  const every = Math.ceil(operations / (kills + 1));
  const began = performance.now();
  let done = 0;
  const under = new Set<Promise<unknown>>();
  while (done < operations) {
    const one: Promise<unknown> = operate(pick(people))
      .catch(() => undefined)
      .then(() => under.delete(one));
    under.add(one);
    done += 1;
    if (done % Math.min(1_000, Math.ceil(operations / 4)) === 0)
      console.log(`       ${done} operations in ${Math.round((performance.now() - began) / 1000)} s`);
    if (under.size >= atOnce) await Promise.race(under);
    if (done % every === 0 && done < operations) {
      clock.lap('operations');
      // In the middle of whatever is under way; and it is weeks later when somebody starts it again.
      clock.endOf(server.child.pid);
      await server.kill('SIGKILL');
      await Promise.all(under);
      shiftMs += (730 / (kills + 1)) * dayMs;
      server = await startServer();
      // The months that have passed, at once and not at the next full minute.
      await bench.db.query(`select enqueue('renew_plans', '{}'::json, null, null, 25, 0)`);
      clock.lap('killing and starting');
    }
  }
  await Promise.all(under);
  clock.lap('operations');
  clock.endOf(server.child.pid);
  await bench.sandbox('PUT', '/processor/faults', {});
  shiftMs += 3_600_000;
  await server.kill('SIGKILL');
  server = await startServer();
  await settleAll();
  clock.lap('settling what was in doubt, comparing');
  clock.say();
  console.log(
    `       what was asked for, by its answer: ${JSON.stringify(Object.fromEntries([...answers].sort()))}`,
  );
  const holds = [
    await compare(),
    ...(await timePurchases(people)),
    await timePdf(),
    await timeHistory(people[0], 1_000),
    await timeHistory(people[1], historyRows),
  ];
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await bench.close();
}

/** One thing that somebody does with money. */
async function operate(payer: Payer): Promise<void> {
  const what = random();
  // Whoever has a plan is not sold credits, so that half of them stay with credits.
  const isSubscriber = payer.accountId % 2 === 0;
  if (what < 0.1 || (what < 0.85 && !isSubscriber)) await buy(payer, 500 + Math.floor(random() * 4500));
  else if (what < 0.8)
    await post(payer, '/charges', {
      ChargeType: 'SubscriptionUpgrade',
      MaxPeople: pick([100, 250, 500, 1000]),
      ConsentText: 'I agree.',
    });
  else if (what < 0.85) await request('PUT', payer, '/account', { AccountTypeID: 0 });
  else {
    // One of the latest that somebody paid. More than is left of it is refused, as the processor does it.
    const { rows } = await bench.db.query<{ id: string; cents: number }>(
      `select payment_id as id, total_cents::int as cents from charges where account_id = $1 and state = 'paid'
       order by created_at desc, charge_id desc limit 50`,
      [payer.accountId],
    );
    const one = rows.length === 0 ? undefined : pick(rows);
    if (one !== undefined)
      await bench.sandbox('POST', `/processor/payments/${one.id}/refund`, {
        AmountCents: 1 + Math.floor(random() * one.cents),
      });
  }
}

async function listPayments(): Promise<Payment[]> {
  const { Items } = (await bench.sandbox('GET', '/processor/payments')) as { Items: Payment[] };
  return Items;
}

async function buy(payer: Payer, NumberOfCredits: number): Promise<Response> {
  return post(payer, '/charges', { ChargeType: 'CreditPurchase', NumberOfCredits });
}

function request(method: string, payer: Payer, path: string, body: object): Promise<Response> {
  return fetch(`${bench.serverUrl}/proxy/api${path}`, {
    method,
    headers: {
      cookie: payer.cookie,
      'content-type': 'application/json',
      origin: bench.serverUrl,
      'idempotency-key': `${seed}-${random()}`,
    },
    body: JSON.stringify(body),
  }).then((reply) => {
    answers.set(reply.status, (answers.get(reply.status) ?? 0) + 1);
    return reply;
  });
}
function post(payer: Payer, path: string, body: object): Promise<Response> {
  return request('POST', payer, path, body);
}

/** Until every doubt is settled, as the worker does by itself, and the books were compared once. */
async function settleAll(): Promise<void> {
  const deadline = performance.now() + 240_000 + operations * 5;
  for (;;) {
    const { rows } = await bench.db.query<{ open: number }>(
      `select count(*)::int as open from charges where state in ('open', 'action')`,
    );
    await bench.db.query(`select enqueue('resolve_charges', '{}'::json, null, null, 25, 0)`);
    if (rows[0]?.open === 0) break;
    if (performance.now() > deadline) throw new Error(`${rows[0]?.open} charges stayed in doubt`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  const before = await reconciliations();
  await bench.db.query(`select enqueue('reconcile_payments', '{}'::json, null, null, 25, 0)`);
  while ((await reconciliations()) === before) {
    if (performance.now() > deadline) throw new Error('the books were not compared');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  // Money of charges that we had given up goes back by jobs.
  await new Promise((resolve) => setTimeout(resolve, 3000));
}

/**
 * The processor's list at a moment at which no charge is under way: renewals go on by themselves, and one that is paid
 * there and not yet written here is no difference.
 */
async function listWhileQuiet(): Promise<Payment[]> {
  const deadline = performance.now() + 240_000;
  const charges = async () => {
    const { rows } = await bench.db.query<{ open: number; all: number }>(
      `select count(*) filter (where state in ('open', 'action'))::int as open, count(*)::int as all from charges`,
    );
    return rows[0] ?? { open: 0, all: 0 };
  };
  for (;;) {
    const before = await charges();
    const list = before.open === 0 ? await listPayments() : [];
    const after = await charges();
    if (before.open + after.open === 0 && before.all === after.all) return list;
    if (performance.now() > deadline) throw new Error('charges were under way all the time');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function reconciliations(): Promise<number> {
  const { rows } = await bench.db.query<{ many: number }>(
    'select count(*)::int as many from reconciliations',
  );
  return rows[0]?.many ?? 0;
}

async function compare(): Promise<boolean> {
  const paid = (await listWhileQuiet()).filter(({ Status }) => Status === 'succeeded');
  const theirs = paid.reduce((sum, one) => sum + one.AmountCents - one.RefundedCents, 0);
  const { rows } = await bench.db.query<{ cash: number; off: number; paid: number; renewals: number }>(`
    select (select coalesce(sum(amount_cents), 0) from money_entries where book = 'cash')::float8 as cash,
      (select count(*) from (select posting_id from money_entries group by posting_id having sum(amount_cents) <> 0) o)::int as off,
      (select count(*) from charges where state = 'paid')::int as paid,
      (select count(*) from charges where state = 'paid' and charge_type = 'SubscriptionRenewal')::int as renewals`);
  const ours = rows[0] ?? { cash: 0, off: 0, paid: 0, renewals: 0 };
  const { rows: twice } = await bench.db.query<{ many: number }>(`
    select count(*)::int as many from (
      select account_id, purchase -> 'what' ->> 'startAt' from charges
      where state = 'paid' and charge_type = 'SubscriptionRenewal' group by 1, 2 having count(*) > 1) t`);
  const { rows: ledger } = await bench.db.query<{ many: number }>(`
    select count(*)::int as many from accounts a
    where credit_balance <> (select coalesce(sum(balance_delta), 0) from credit_entries e where e.account_id = a.account_id)`);
  console.log(
    `${operations} operations, ${kills} kills, two years: ${paid.length} payments, ${ours.renewals} of them renewals; the processor holds ${theirs} cents, the books say ${ours.cash}`,
  );
  return [
    report('cents between the books and the processor', Math.abs(theirs - ours.cash), { most: 0 }, ''),
    report(
      'payments without a paid charge, or the other way round',
      Math.abs(paid.length - ours.paid),
      { most: 0 },
      '',
    ),
    report('months that were charged twice', twice[0]?.many ?? 0, { most: 0 }, ''),
    report('postings that don’t add up', ours.off, { most: 0 }, ''),
    report('accounts whose credits are not what their ledger says', ledger[0]?.many ?? 0, { most: 0 }, ''),
  ].every(Boolean);
}

/** From Buy to credits that can be used, beyond what the processor itself takes. */
async function timePurchases(people: Payer[]): Promise<boolean[]> {
  const times: number[] = [];
  for (let round = 0; round < 60; round += 1) {
    const payer = people[round % people.length];
    if (payer === undefined) continue;
    const began = performance.now();
    const reply = await buy(payer, 6000 + round);
    await reply.arrayBuffer();
    if (reply.ok && round >= 5) times.push(performance.now() - began);
  }
  return [report('purchase to usable credits, p95', percentile(times, 0.95), { most: 500 }, 'ms')];
}

async function timePdf(): Promise<boolean> {
  const times: number[] = [];
  const invoice = {
    InvoiceID: 1004,
    Amount: 906,
    BalanceDue: 0,
    GrandTotal: 989.81,
    MonthlyFee: null,
    PartialCredits: 0,
    SalesTax: 83.81,
    Tax: 83.81,
    InvoiceStatusCategory: 'Paid' as const,
    ChargeTimestamp: '2026-03-01T12:00:00.000Z',
    PoNumber: '4417',
    AdditionalNotes: 'Spring term.',
    InvoiceAddressID: 1,
    AutoRenewInvoices: false,
    IsPayG: true,
    AddCreditsToAccount: false,
    SendEmail: true,
    SubscriptionDuration: null,
    SubscriptionStartDate: null,
    SubscriptionEndDate: null,
    MaxPeople: null,
    NumberOfCredits: 30_200,
    Terms: 'Due on Receipt',
    CustomPricing: null,
    Description: '30,200 credits',
    TaxLabel: 'Tennessee 9.25%',
    Quantity: 30_200,
    UnitCost: 0.03,
    CreatedBy: 'Dana Whitfield',
    BillTo: ['Harlow Creek School District', '410 Mill Street', 'Chattanooga, TN 37402'],
    EmailedTo: '',
    EmailedDate: null,
    Payments: [
      {
        PaymentID: 1,
        Amount: 989.81,
        Date: '2026-03-02T12:00:00.000Z',
        Method: 'Visa ending in 4242',
        By: '',
      },
    ],
  };
  const busy: number[] = [];
  for (let round = 0; round < 60; round += 1) {
    const [began, used] = [performance.now(), process.cpuUsage()];
    await drawInvoice(invoice, { from: ['Muster'], accountId: 1, zone: 'America/New_York', languageId: 1 });
    if (round < 5) continue;
    times.push(performance.now() - began);
    const { user, system } = process.cpuUsage(used);
    busy.push((user + system) / 1000);
  }
  console.log(`       an invoice takes ${percentile(busy, 0.95).toFixed(1)} ms of a processor, p95`);
  return report('invoice PDF, p95', percentile(times, 0.95), { most: 50 }, 'ms');
}

/** The list of what was paid, of an account with so many payments: the first page and one far down. */
async function timeHistory(payer: Payer | undefined, rows: number): Promise<boolean> {
  if (payer === undefined) return false;
  await bench.db.query(
    `insert into charges (account_id, charge_type, state, lane, description, purchase, amount_cents, total_cents, is_attended, card_label, created_at)
     select $1::bigint, 'CreditPurchase', 'paid', 'bench', '500 credits', '{}', 2500, 2500, true, 'Visa ending in 4242',
       now() - i * interval '30 seconds'
     from generate_series(1, $2::int) i`,
    [payer.accountId, rows],
  );
  // Everything that is paid by card has an invoice.
  await bench.db.query(
    `insert into invoices (account_id, description, is_payg, quantity, amount_cents, total_cents, paid_cents, terms, charge_id, created_at)
     select account_id, description, true, 500, 2500, 2500, 2500, 'Due on Receipt', charge_id, created_at
     from charges where account_id = $1 and lane = 'bench'`,
    [payer.accountId],
  );
  await bench.db.query('vacuum analyze charges, invoices');
  // Writes the new rows back now, not during the measurement.
  await bench.db.query('checkpoint');
  const times: number[] = [];
  let next = '';
  for (let round = 0; round < 60; round += 1) {
    const began = performance.now();
    const reply = await fetch(
      `${bench.serverUrl}/proxy/api/billinghistory?pagesize=50${next === '' ? '' : `&next=${encodeURIComponent(next)}`}`,
      { headers: { cookie: payer.cookie } },
    );
    const page = (await reply.json()) as { Next: string | null };
    if (round >= 5) times.push(performance.now() - began);
    next = round % 2 === 0 ? (page.Next ?? '') : '';
  }
  return report(
    `billing history of ${rows.toLocaleString('en-US')} rows, p95`,
    percentile(times, 0.95),
    { most: 80 },
    'ms',
  );
}

async function buildPayer(userName: string): Promise<Payer> {
  const account_id = await buildOwner(bench, userName);
  const payer = { accountId: account_id, userName, cookie: await signInOwner(bench, userName) };
  const setup = (await (await post(payer, '/creditcard/setup', {})).json()) as { SetupIntentID: string };
  await fetch(`${bench.sandboxUrl}/v1/setup_intents/${setup.SetupIntentID}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stripe.STRIPE_SECRET_KEY}` },
    body: new URLSearchParams({ payment_method: 'pm_card_visa' }),
  });
  const saved = await post(payer, '/creditcard', {
    ...{ FirstName: 'Own', LastName: 'Er', BillingAddress1: '410 Mill Street', BillingCity: 'Chattanooga' },
    ...{ BillingState: 'TN', BillingZipCode: '37402', SetupIntentID: setup.SetupIntentID },
  });
  if (!saved.ok) throw new Error(`no card: ${saved.status} ${await saved.text()}`);
  // A receipt by mail for every purchase would cost as much as the purchase, and there is no mail server here.
  await bench.db.query(`update users set email = '' where account_id = $1`, [account_id]);
  return payer;
}

/** Adds up time: clock time by what was done, and processor time by process. */
function startClock() {
  const laps = new Map<string, number>();
  let since = performance.now();
  let serversMs = 0;
  const postgres = findProcess('postgres', bench.dataDir);
  const before = { postgres: processorMs(postgres), sandbox: processorMs(bench.sandboxPid) };
  return {
    lap(name: string): void {
      laps.set(name, (laps.get(name) ?? 0) + performance.now() - since);
      since = performance.now();
    },
    /** Reads a server's processor time, which is only possible while it lives. */
    endOf(pid: number | undefined): void {
      serversMs += processorMs(pid);
    },
    say(): void {
      const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;
      console.log(
        `       on the clock: ${[...laps].map(([name, ms]) => `${name} ${seconds(ms)}`).join(', ')}`,
      );
      const { user, system } = process.cpuUsage();
      const used = {
        'the servers': serversMs,
        PostgreSQL: processorMs(postgres) - before.postgres,
        'the sandbox': processorMs(bench.sandboxPid) - before.sandbox,
        'this bench': (user + system) / 1000,
      };
      console.log(
        `       of a processor, for each operation: ${Object.entries(used)
          .map(([name, ms]) => `${name} ${(ms / operations).toFixed(1)} ms`)
          .join(', ')}`,
      );
    },
  };
}
