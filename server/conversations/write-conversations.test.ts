import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import {
  markConversationUnread,
  moveConversations,
  sendTextMessage,
  undoConversations,
  updateConversations,
  viewConversation,
} from '../../contract/conversations.ts';
import { addTag } from '../../contract/tags.ts';
import { asAccount, asSystem } from '../db.ts';
import { erasePerson } from '../privacy/erase-person.ts';
import { actorOf, buildAccount } from '../testing/builders.ts';
import { checkKeptConversations, dropConversationTriggers } from '../testing/check-kept-conversations.ts';
import { receiveTexts } from '../testing/receive-texts.ts';
import { testApp } from '../testing/test-app.ts';
import { answerConversations } from './change/answer-conversations.ts';
import { wakeConversations } from './change/wake-conversations.ts';
import { foldCounts } from './list/fold-counts.ts';
import { indexMessages } from './list/index-messages.ts';

const numbers = { '14235550100': 'infobip', '18655550100': 'infobip' } as const;
const phones = Object.keys(numbers);
const phoneOf = (index: number) => `1423555${3000 + index}`;

const person = fc.nat(4);
const people = fc.uniqueArray(person, { minLength: 1, maxLength: 3 });
const steps = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant('receive' as const),
      to: fc.nat(1),
      texts: fc.array(
        fc.record({
          from: person,
          body: fc.constantFrom('Hello', 'Thank you!', 'STOP', 'START', 'HELP', ''),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    }),
    fc.record({ do: fc.constant('send' as const), to: person }),
    fc.record({ do: fc.constant('view' as const), to: person }),
    fc.record({ do: fc.constant('unread' as const), to: person }),
    fc.record({
      do: fc.constant('change' as const),
      people,
      update: fc.constantFrom(
        { IsDone: true },
        { IsDone: false },
        { IsUnread: true as const },
        { SnoozedUntil: '2099-01-01T00:00:00Z' },
        'assign' as const,
        'tag' as const,
        'untag' as const,
      ),
    }),
    fc.record({ do: fc.constant('undo' as const) }),
    fc.record({ do: fc.constant('move' as const), people, to: fc.nat(1) }),
    fc.record({ do: fc.constant('answer' as const), people, isDone: fc.boolean() }),
    fc.record({ do: fc.constant('wake' as const) }),
    fc.record({ do: fc.constant('jobs' as const) }),
  ),
  { minLength: 4, maxLength: 14 },
);

it.each([
  ['beside the triggers', true],
  ['without triggers', false],
])(
  'counts, tags, phones and words of conversations are right after every change, %s',
  async (_how, beside) => {
    const app = await testApp(numbers);
    if (!beside) await dropConversationTriggers(app.databaseUrl);
    const { accountId, owner, numbers: ids } = await buildAccount(app, { numbers });
    const { system } = app.database;
    const idOf = (index: number) => ids[phones[index] ?? ''] ?? 0;
    const tagId = (await app.call(addTag, { body: { TagName: 'Blue' } }, owner)).body.TagID;
    const actor = await actorOf(app, accountId, owner.userId);
    let undoId: number | null = null;

    const open = async (indexes: number[]) => {
      const found = await sql<{ id: number }>`
      select conversation_id as id from conversations
      where account_id = ${accountId} and not is_retired and phone = any(${indexes.map(phoneOf)}::text[])
      order by 1`.execute(system);
      return found.rows.map(({ id }) => id);
    };
    const take = async (step: (typeof steps extends fc.Arbitrary<infer S> ? S : never)[number]) => {
      if (step.do === 'receive') {
        const texts = step.texts.map(({ from, body }) => ({ from: phoneOf(from), body }));
        return receiveTexts(app, phones[step.to] ?? '', texts);
      }
      if (step.do === 'jobs') {
        await asSystem(app.database, (trx) => foldCounts(trx, 100));
        return asSystem(app.database, (trx) => indexMessages(trx, 100));
      }
      if (step.do === 'wake') {
        // The time only: they are as snoozed as before.
        await sql`
        update conversations set snoozed_until = now() - interval '1 second'
        where account_id = ${accountId} and snoozed_until is not null`.execute(system);
        return asSystem(app.database, (trx) => wakeConversations(trx, 100));
      }
      if (step.do === 'undo') {
        if (undoId === null) return;
        const undone = await app.call(undoConversations, { params: { UndoID: undoId } }, owner);
        undoId = undone.body.UndoID;
        return undone;
      }
      if (step.do === 'answer') {
        const { rows } = await sql<{ id: number; textNumberId: number; phone: string }>`
        select message_id as id, text_number_id as "textNumberId", phone from messages
        where account_id = ${accountId} and is_inbound and phone = any(${step.people.map(phoneOf)}::text[])
        order by message_id desc limit 3`.execute(system);
        return asAccount(app.database, accountId, (trx) =>
          answerConversations(trx, actor, rows, { isDone: step.isDone }),
        );
      }
      if (step.do === 'change' || step.do === 'move') {
        const Items = await open(step.people);
        if (Items.length === 0) return;
        const Selection = { Type: 'Selected' as const, Items };
        if (step.do === 'move') {
          const body = { Selection, TextNumberIDTo: idOf(step.to) };
          return app.call(moveConversations, { body }, owner);
        }
        const Update = {
          ...(step.update === 'assign' ? { AssignedUserID: owner.userId } : {}),
          ...(step.update === 'tag' ? { AddTagIDs: [tagId] } : {}),
          ...(step.update === 'untag' ? { RemoveTagIDs: [tagId] } : {}),
          ...(typeof step.update === 'object' ? step.update : {}),
        };
        const changed = await app.call(updateConversations, { body: { Selection, Update } }, owner);
        undoId = changed.body.UndoID;
        return changed;
      }
      const [ConversationID] = await open([step.to]);
      if (ConversationID === undefined) return;
      const params = { ConversationID };
      if (step.do === 'view') return app.call(viewConversation, { params }, owner);
      if (step.do === 'unread') return app.call(markConversationUnread, { params }, owner);
      return app.call(sendTextMessage, { params, body: { Message: 'The bus is late' } }, owner);
    };

    await take({ do: 'receive', to: 0, texts: [{ from: 0, body: 'Hello' }] });
    expect(await take({ do: 'send', to: 0 })).toMatchObject({ status: 200 });
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        for (const step of list) {
          const reply = await take(step);
          // Nobody may be texted after STOP.
          if (typeof reply === 'object') expect([200, 422]).toContain(reply.status);
          await checkKeptConversations(system, accountId);
        }
      }),
      { numRuns: 8 },
    );
    const { rows } = await sql<{ origin: string }>`
    select distinct origin from messages where account_id = ${accountId} order by 1`.execute(system);
    expect(rows.map(({ origin }) => origin)).toEqual(['automatic', 'conversation', 'inbound']);

    await receiveTexts(app, phones[0] ?? '', [{ from: phoneOf(9), body: 'Hello' }]);
    await take({ do: 'change', people: [9], update: 'tag' });
    const erased = { phone: phoneOf(9) };
    const erasure = await erasePerson(app.database, accountId, erased, { really: true, all: true });
    expect(erasure.deleted.get('conversations')).toBe(1);
    await checkKeptConversations(system, accountId);
  },
);

const files = readdirSync(join(import.meta.dirname, '..'), { recursive: true, encoding: 'utf8' })
  .sort()
  .filter((name) => /\.ts$/.test(name) && !/\.test\.ts$|(^|\/)testing\/|schema\.types/.test(name))
  .map((name) => ({ name, text: readFileSync(join(import.meta.dirname, '..', name), 'utf8') }));
const writing = (table: string) =>
  new RegExp(
    `(updateTable|insertInto|deleteFrom|mergeInto)\\('${table}\\b|\\b(update|insert into|delete from|merge into|copy|truncate) ${table}\\b`,
  );

it('every statement that writes conversations keeps their counts, tags and phones', () => {
  const wrapped = /write: sql`(\s|--.*\n)*(update|insert into|delete from) conversations\b/g;
  const others = files.filter(({ text }) => writing('conversations').test(text.replaceAll(wrapped, '')));
  expect(others.map(({ name }) => name)).toEqual([]);
  expect(files.filter(({ text }) => text.match(wrapped)).map(({ name }) => name)).toHaveLength(11);
});

it('every statement that inserts texts queues their words', () => {
  const inserting = /insertInto\('messages'|\binsert into messages\b/;
  const others = files.filter(({ text }) => inserting.test(text) && !/\$\{queueWords\}/.test(text));
  // Texts of broadcasts aren't found by their words.
  expect(others.map(({ name }) => name)).toEqual(['texts/make-slice.ts']);
});
