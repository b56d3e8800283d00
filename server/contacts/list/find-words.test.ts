import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { listContacts } from '../../../contract/contacts.ts';
import { buildAccount } from '../../testing/builders.ts';
import { checkKeptContacts } from '../../testing/check-kept-contacts.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { asOwner } from '../../testing/test-db.ts';
import { findWords } from './find-words.ts';
import { sweepKnownWords } from './sweep-known-words.ts';

const app: TestApp = await testApp();

type Order = 'name' | '-name' | 'newest';

async function pages(as: Awaited<ReturnType<typeof buildAccount>>['owner'], q: string, sortby: Order) {
  const found: number[] = [];
  let next: string | undefined;
  for (;;) {
    const query = { q, sortby, pagesize: 3, ...(next === undefined ? {} : { next }) };
    const { body } = await app.call(listContacts, { params: { ListID: 0 }, query }, as);
    found.push(...body.Items.map(({ PersonID }) => PersonID));
    if (body.Next === null || body.IsSimilar) return { found, Size: body.Size, IsSimilar: body.IsSimilar };
    next = body.Next;
  }
}

it('the words find the same contacts as their texts, each once and in order', async () => {
  const { accountId, owner } = await buildAccount(app);
  const piece = fc.constantFrom(
    'an',
    'Ann',
    'banan',
    'Ján',
    'o\u2019nan',
    'x@an.org',
    '12an',
    '77',
    '(5)',
    'ж',
    'a%_',
  );
  const word = fc.array(piece, { minLength: 1, maxLength: 2 }).map((pieces) => pieces.join(''));
  // Also words longer than what the table stores whole, found by their middle.
  const long = fc.nat(160).map((at) => `${'q'.repeat(at)}needle${'q'.repeat(160 - at)}`);
  const note = fc
    .tuple(fc.array(fc.oneof(word, long), { maxLength: 3 }), fc.constantFrom(' ', '\t', '\n', '\u00a0'))
    .map(([words, space]) => words.join(space));
  const person = fc.record({ first_name: word, last_name: word, notes: note });
  const searches = [
    'an',
    'ann',
    'NAN',
    'ján',
    '\u2019',
    '@',
    '2a',
    'ж',
    '%',
    '_',
    'needle',
    'qneedle',
    'qq',
    'zzz',
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(person, { minLength: 1, maxLength: 9 }), async (people) => {
      await sql`delete from contacts where account_id = ${accountId}`.execute(app.database.system);
      await app.database.system
        .insertInto('contacts')
        .values(people.map((each) => ({ account_id: accountId, ...each })))
        .execute();
      await checkKeptContacts(app, accountId);
      for (const q of searches) {
        const byText = await pages(owner, q, 'newest');
        const byWords = await pages(owner, q, 'name');
        const sorted = (ids: number[]) => ids.toSorted((a, b) => a - b);
        expect([q, byWords.Size, sorted(byWords.found)]).toEqual([q, byText.Size, sorted(byText.found)]);
        if (byWords.IsSimilar) continue;
        expect((await pages(owner, q, '-name')).found).toEqual(byWords.found.toReversed());
      }
    }),
    { numRuns: 8 },
  );
});

it('several words, digits, very long ones and contacts not indexed yet use the texts', async () => {
  const { accountId } = await buildAccount(app);
  await app.database.system
    .insertInto('contacts')
    .values({ account_id: accountId, first_name: 'Ann', last_name: 'Adams' })
    .execute();
  const words = (...patterns: string[]) =>
    app.database.system.transaction().execute(async (trx) => {
      await sql`select set_config('app.account_id', ${String(accountId)}, true)`.execute(trx);
      return findWords(trx, accountId, patterns);
    });
  expect((await words('%a%'))?.sort()).toEqual(['adams', 'ann']);
  expect(await words('% ad%')).toEqual(['adams']);
  expect(await words('%nobody%')).toEqual([]);
  expect(await words('%ann%', '%adams%')).toBeUndefined();
  expect(await words('%423%')).toBeUndefined();
  expect(await words(`%${'a'.repeat(51)}%`)).toBeUndefined();
  await app.database.system
    .insertInto('search_backlog')
    .values({ account_id: accountId, first_person_id: 1, last_person_id: 2 })
    .execute();
  expect(await words('%a%')).toBeUndefined();
});

it('removes words that nobody has any more, but not those of others or those that came back', async () => {
  const { accountId } = await buildAccount(app);
  const { system } = app.database;
  const add = (first_name: string) =>
    system.insertInto('contacts').values({ account_id: accountId, first_name }).execute();
  const known = async () =>
    (
      await sql<{
        word: string;
      }>`select word from known_words where account_id = ${accountId} order by word`.execute(system)
    ).rows.map(({ word }) => word);
  await add('Ann');
  await add('Ben');
  await add('Cy');
  await sql`delete from contacts where account_id = ${accountId} and first_name <> 'Ann'`.execute(system);
  await add('Cy');
  expect(await known()).toEqual(['ann', 'ben', 'cy']);
  // During a long write transaction they stay until the next night.
  await asOwner(app.databaseUrl, async (owner) => {
    await owner.query('begin');
    await owner.query('lock table known_words in row exclusive mode');
    await sweepKnownWords(app.database);
    await owner.query('rollback');
  });
  expect(await known()).toEqual(['ann', 'ben', 'cy']);
  await sweepKnownWords(app.database);
  expect(await known()).toEqual(['ann', 'cy']);
  await checkKeptContacts(app, accountId);
});
