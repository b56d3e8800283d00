import fc from 'fast-check';
import { type Selectable, sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { asAccount, asSystem } from '../db.ts';
import { enqueue } from '../jobs.ts';
import type { DB } from '../schema.types.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { asOwner } from '../testing/test-db.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { wrongConsentCounts } from '../testing/wrong-consent-counts.ts';
import { mendConsentCounts } from './count-moved.ts';
import { type ConsentChange, heldConsents, recordConsents } from './record-consents.ts';

let app: TestApp;
let account: BuiltAccount;
let serial = 0;
beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
});

const noon = Date.UTC(2026, 8, 1, 12);
const minute = (minutes: number) => new Date(noon + minutes * 60_000);
const newPhone = () => `1423555${String(3000 + ++serial)}`;

type Told = Omit<ConsentChange, 'accountId' | 'phone' | 'at'> & { minute: number };

/** Records each of these separately, in their order. */
async function tell(phone: string, told: Told[]): Promise<void> {
  for (const each of told) await tellAtOnce(phone, [each]);
}

function tellAtOnce(phone: string, told: Told[]): Promise<number[]> {
  const { accountId } = account;
  return asSystem(app.database, (trx) =>
    recordConsents(
      trx,
      told.map(({ minute: at, ...change }) => ({ ...change, accountId, phone, at: minute(at) })),
    ),
  );
}

/** The state of a new phone after an import: the ledger's first entry is in its row. */
async function comeWithFile(phone: string, told: Told): Promise<void> {
  const at = minute(told.minute);
  await sql`
    insert into phone_consents (account_id, phone, text_state, text_changed_at, voice_state, voice_changed_at,
      file_id, declared_at)
    values (${account.accountId}, ${phone}, 'in', ${at}, 'in', ${at}, ${told.fileId}, ${at})`.execute(
    app.database.system,
  );
}

async function holds(phone: string) {
  const row = await app.database.system
    .selectFrom('phone_consents')
    .select(['text_state', 'text_changed_at', 'voice_state', 'voice_changed_at'])
    .where('account_id', '=', account.accountId)
    .where('phone', '=', phone)
    .executeTakeFirst();
  return {
    text: row?.text_state ?? null,
    textAt: row?.text_changed_at?.getTime() ?? null,
    voice: row?.voice_state ?? null,
    voiceAt: row?.voice_changed_at?.getTime() ?? null,
  };
}

type Event = Selectable<DB['consent_ledger']>;

async function ledger(phone: string): Promise<Event[]> {
  const { rows } = await sql<Event>`
    select * from consent_events where account_id = ${account.accountId} and phone = ${phone}
    order by consent_event_id`.execute(app.database.system);
  return rows;
}

const stop: Told = { state: 'out', source: 'inbound', minute: 1 };
const start: Told = { state: 'in', source: 'inbound', minute: 2 };
const file = (fileId: number, more: Partial<Told> = {}): Told => ({
  state: 'in',
  source: 'import',
  channel: 'both',
  fileId,
  minute: 3,
  ...more,
});
const byHand = (userId: number, state: 'in' | 'out' | 'none', more: Partial<Told> = {}): Told => ({
  state,
  source: 'user',
  userId,
  minute: 5,
  ...more,
});

describe('the current state', () => {
  it.each<[string, Told[], (string | null)[]]>([
    ['the latest', [stop, start], ['in', null]],
    ['the latest, also when it arrived first', [start, stop], ['in', null]],
    [
      'one of two at the same moment: the one that came second',
      [{ ...start, minute: 1 }, stop],
      ['out', null],
    ],
    ['for either channel what was said of both', [byHand(1, 'out', { channel: 'both' })], ['out', 'out']],
    [
      'for calls something else than for texts',
      [byHand(1, 'out', { channel: 'voice' }), start],
      ['in', 'out'],
    ],
    ['a file’s opt-in where there is nothing', [file(1)], ['in', 'in']],
    ['the opt-out, whatever a later file says', [stop, file(1)], ['out', 'in']],
    ['the opt-out from before a file that was not known yet', [file(1), stop], ['out', 'in']],
    ['START after a file after STOP', [stop, file(1), { ...start, minute: 9 }], ['in', 'in']],
    [
      'nothing, after the file was taken back',
      [file(1), file(1, { state: 'none', minute: 7 })],
      [null, null],
    ],
    [
      'STOP, after the file was taken back',
      [file(1), { ...stop, minute: 4 }, file(1, { state: 'none', minute: 7 })],
      ['out', null],
    ],
    [
      'what another file said, after the first was taken back',
      [file(1), file(2, { minute: 4 }), file(1, { state: 'none', minute: 7 })],
      ['in', 'in'],
    ],
    [
      'STOP again, after an opt-in by hand was taken back',
      [stop, byHand(1, 'in'), byHand(1, 'none')],
      ['out', null],
    ],
    [
      'STOP still, after an opt-out by hand was taken back',
      [byHand(1, 'out'), stop, byHand(1, 'none')],
      ['out', null],
    ],
    [
      'START again, after an opt-out by hand was taken back',
      [start, byHand(1, 'out'), byHand(1, 'none')],
      ['in', null],
    ],
    [
      'what another user declared: one takes back one’s own',
      [byHand(1, 'in'), byHand(2, 'out', { minute: 6 }), byHand(1, 'none', { minute: 7 })],
      ['out', null],
    ],
    [
      'calls alone, after texts were taken back',
      [
        byHand(1, 'in', { channel: 'text' }),
        byHand(1, 'in', { channel: 'voice' }),
        byHand(1, 'none', { channel: 'text' }),
      ],
      [null, 'in'],
    ],
  ])('%s', async (_, told, expected) => {
    const phone = newPhone();
    await tell(phone, told);
    const { text, voice } = await holds(phone);
    expect([text, voice]).toEqual(expected);
    const [first, ...later] = told;
    if (first?.fileId === undefined) return;
    const imported = newPhone();
    await comeWithFile(imported, first);
    await tell(imported, later);
    expect(await holds(imported)).toEqual(await holds(phone));
  });

  it('is the same for many at once', async () => {
    const one = newPhone();
    const other = newPhone();
    await tell(one, [stop, start, byHand(1, 'out', { channel: 'voice' })]);
    await tellAtOnce(other, [stop, start, byHand(1, 'out', { channel: 'voice' })]);
    expect(await holds(other)).toEqual(await holds(one));
    expect(await holds(one)).toEqual({
      text: 'in',
      textAt: minute(2).getTime(),
      voice: 'out',
      voiceAt: minute(5).getTime(),
    });
  });

  it('is not changed by older events if the row was written by hand', async () => {
    const phone = newPhone();
    await app.database.system
      .insertInto('phone_consents')
      .values({ account_id: account.accountId, phone, text_state: 'out', text_changed_at: minute(10) })
      .execute();
    await asSystem(app.database, mendConsentCounts);
    await tell(phone, [start]);
    expect((await holds(phone)).text).toBe('out');
    await tell(phone, [{ ...start, minute: 11 }]);
    expect((await holds(phone)).text).toBe('in');
  });
});

describe('the ledger', () => {
  it('keeps every change with its evidence', async () => {
    const phone = newPhone();
    await tell(phone, [
      stop,
      file(7, { userId: 3, wording: 'Signed at enrollment', address: '192.0.2.7' }),
      byHand(3, 'in', { messageId: 12 }),
    ]);
    expect(await ledger(phone)).toMatchObject([
      { state: 'out', channel: 'text', source: 'inbound', created_at: minute(1) },
      {
        channel: 'both',
        source: 'import',
        file_id: 7,
        user_id: 3,
        wording: 'Signed at enrollment',
        address: '192.0.2.7',
      },
      { source: 'user', user_id: 3, message_id: 12, created_at: minute(5) },
    ]);
  });

  it('ignores an undo without anything to undo', async () => {
    const phone = newPhone();
    await tell(phone, [file(1), byHand(1, 'none'), file(1, { state: 'none' }), file(1, { state: 'none' })]);
    expect((await ledger(phone)).map(({ state }) => state)).toEqual(['in', 'none']);
  });

  it('begins with the file that a phone came with', async () => {
    const phone = newPhone();
    await comeWithFile(phone, file(7));
    await tell(phone, [stop]);
    expect(await ledger(phone)).toMatchObject([
      { state: 'in', channel: 'both', source: 'import', file_id: 7, created_at: minute(3) },
      { state: 'out', channel: 'text', source: 'inbound' },
    ]);
  });

  it('can’t be changed or shortened by the program', async () => {
    const phone = newPhone();
    await comeWithFile(phone, file(7));
    await tell(phone, [stop]);
    const { accountId } = account;
    for (const statement of [
      sql`update consent_ledger set state = 'in' where phone = ${phone}`,
      sql`delete from consent_ledger where phone = ${phone}`,
      sql`update phone_consents set declared_at = now() where phone = ${phone}`,
      sql`delete from phone_consents where phone = ${phone}`,
    ]) {
      await expect(asSystem(app.database, (trx) => statement.execute(trx))).rejects.toThrow(
        'permission denied',
      );
      await expect(asAccount(app.database, accountId, (trx) => statement.execute(trx))).rejects.toThrow(
        'permission denied',
      );
    }
    expect(await ledger(phone)).toHaveLength(2);
  });

  it('is the same after two concurrent writers as after one after the other', async () => {
    const phone = newPhone();
    const late = Promise.withResolvers<void>();
    const { accountId } = account;
    const written = Promise.withResolvers<void>();
    const first = asSystem(app.database, async (trx) => {
      await recordConsents(trx, [{ accountId, phone, at: minute(9), state: 'in', source: 'inbound' }]);
      written.resolve();
      await late.promise;
    });
    await written.promise;
    // Older, and it begins before the first has ended: it must wait, and then see it.
    const second = tell(phone, [stop]);
    await waitUntil(async () => {
      const waiting = sql<{ count: number }>`
        select count(*) from pg_locks join pg_stat_activity using (pid)
        where datname = current_database() and not granted`;
      return ((await waiting.execute(app.database.system)).rows[0]?.count ?? 0) > 0;
    });
    late.resolve();
    await Promise.all([first, second]);
    expect(await holds(phone)).toMatchObject({ text: 'in', textAt: minute(9).getTime() });
  });
});

/** The three rules again, in the simplest implementation: event by event. */
function replay(events: Event[], channel: 'text' | 'voice') {
  const standing: Event[] = [];
  for (const event of events) {
    if (event.state !== 'none') {
      standing.push(event);
      continue;
    }
    const same = (other: Event) =>
      other.channel === event.channel &&
      other.source === event.source &&
      other.file_id === event.file_id &&
      (event.file_id !== null || other.user_id === event.user_id);
    const place = standing.findLastIndex(same);
    if (place >= 0) standing.splice(place, 1);
  }
  const heard = standing.filter((event) => event.channel === channel || event.channel === 'both');
  const own = heard.filter((event) => !(event.source === 'import' && event.state === 'in'));
  const last = own.reduce<Event | undefined>(
    (best, event) => (best === undefined || event.created_at >= best.created_at ? event : best),
    undefined,
  );
  const held = last ?? heard[0];
  return { state: held?.state ?? null, at: held?.created_at.getTime() ?? null };
}

const anyTold: fc.Arbitrary<Told> = fc
  .record({
    channel: fc.constantFrom('text' as const, 'voice' as const, 'both' as const),
    minute: fc.integer({ min: 0, max: 4 }),
    state: fc.constantFrom('in' as const, 'out' as const),
    who: fc.constantFrom('inbound', 'carrier', 'user 1', 'user 2', 'file 1', 'file 2'),
    isTakenBack: fc.boolean(),
  })
  .map(({ who, isTakenBack, state, ...told }) => {
    const [kind, id] = who.split(' ');
    if (kind === 'user')
      return { ...told, state: isTakenBack ? 'none' : state, source: 'user', userId: Number(id) };
    if (kind === 'file')
      return { ...told, state: isTakenBack ? 'none' : state, source: 'import', fileId: Number(id) };
    return { ...told, state, source: kind === 'inbound' ? 'inbound' : 'carrier' };
  });

it('computes the current state for any events in any order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(fc.array(anyTold, { minLength: 1, maxLength: 3 }), { maxLength: 8 }),
      async (isFromFile, batches) => {
        const phone = newPhone();
        if (isFromFile) await comeWithFile(phone, file(1));
        for (const batch of batches) await tellAtOnce(phone, batch);
        const events = await ledger(phone);
        const [text, voice] = [replay(events, 'text'), replay(events, 'voice')];
        expect(await holds(phone)).toEqual({
          text: text.state,
          textAt: text.at,
          voice: voice.state,
          voiceAt: voice.at,
        });
        // No declaration may ever hide the last word of the person themselves, if nobody spoke after it.
        const lastWord = events.filter((e) => e.source === 'inbound' && e.channel === 'text').at(-1);
        const isLatest = events.every(
          (e) => e === lastWord || e.created_at < (lastWord?.created_at ?? e.created_at),
        );
        if (lastWord?.state === 'out' && isLatest) expect(text.state).toBe('out');
      },
    ),
    { numRuns: 60 },
  );
  // All phones of this file, in one statement: every row is what the ledger says.
  const phones = sql`select account_id, phone from phone_consents where account_id = ${account.accountId}`;
  const { rows } = await sql<{ different: number; compared: number }>`
    with held as (${heldConsents(phones)}),
    kept as (
      select account_id, phone, 'text' as channel, text_state as state, text_changed_at as changed_at from phone_consents
      union all
      select account_id, phone, 'voice', voice_state, voice_changed_at from phone_consents
    )
    select count(*) filter (where (h.state, h.created_at) is distinct from (k.state, k.changed_at)) as different,
      count(*) as compared
    from kept k left join held h using (account_id, phone, channel)`.execute(app.database.system);
  expect(rows[0]?.different).toBe(0);
  expect(rows[0]?.compared).toBeGreaterThan(50);
  expect(await wrongConsentCounts(app.database, account.accountId)).toEqual([]);
  const counts = app.database.system.selectFrom('consent_counts').selectAll().orderBy('quarter');
  const kept = await counts.execute();
  expect(
    kept.some(({ texts_out, calls_out, texts_in }) => texts_out > 0 && calls_out > 0 && texts_in > 0),
  ).toBe(true);
  // In the state that processes of an earlier version leave.
  await sql`update consent_counts set texts_out = texts_out + 2, texts_in = 0`.execute(app.database.system);
  await sql`delete from consent_counts where calls_out > 0`.execute(app.database.system);
  expect(await wrongConsentCounts(app.database, account.accountId)).not.toEqual([]);
  const mend = async () => {
    await asSystem(app.database, (trx) => enqueue(trx, 'mend_consent_counts', {}));
    await app.drain();
  };
  const setApplied = (ago: string) =>
    asOwner(app.databaseUrl, (client) =>
      client.query(
        `update migrations set applied_at = now() - interval '${ago}' where name = '0225_consent_counts.sql'`,
      ),
    );
  // None of them runs any more: it is not put right behind the operator's back.
  await setApplied('8 days');
  await mend();
  expect(await wrongConsentCounts(app.database, account.accountId)).not.toEqual([]);
  await setApplied('6 days');
  await mend();
  expect(await wrongConsentCounts(app.database, account.accountId)).toEqual([]);
});
