import { findActiveActor } from '../access/load-actor.ts';
import { createSequence } from '../broadcasts/drips/create-sequence.ts';
import { beginSequence, updateSequence } from '../broadcasts/drips/write-sequence.ts';
import { addDraftLists } from '../broadcasts/recipients/add-to-draft.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';

interface Cast {
  accountId: number;
  ownerId: number;
  numberIds: number[];
  /** The recipients. */
  group: string;
}

const after = (afterDays: number, message: string) => ({
  ...{ message, afterDays, time: '9:00 AM', hasWait: true, date: '', mediaIds: [] },
});

async function groupNamed(trx: Trx, accountId: number, name: string): Promise<number> {
  const { group_id } = await trx
    .selectFrom('groups')
    .select('group_id')
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return group_id;
}

async function requireOwner(trx: Trx, { accountId, ownerId }: Cast): Promise<Actor> {
  const owner = await findActiveActor(trx, accountId, ownerId);
  if (owner === undefined) throw new Error('the demo has no owner');
  return owner;
}

/** A campaign that families receive from the day they join a group. Its first texts are sent tomorrow. */
export async function createDrips(trx: Trx, cast: Cast): Promise<void> {
  const { accountId, numberIds, group } = cast;
  const owner = await requireOwner(trx, cast);
  const groupId = await groupNamed(trx, accountId, group);
  const { DraftBroadcastID } = await beginSequence(trx, owner);
  await createSequence(
    trx,
    owner,
    {
      params: undefined,
      query: undefined,
      body: {
        draftBroadcastId: DraftBroadcastID,
        name: 'Welcome to the PTA',
        textNumberId: numberIds[0] ?? 0,
        startsOn: 'group',
        groupId,
        includesMembers: true,
        skipsWeekends: true,
        stopsOnReply: false,
        steps: [
          after(1, 'Hi {{FirstName}}, welcome to the PTA! Save this number: our news comes from here.'),
          after(
            3,
            'We meet on the first Tuesday of the month at 6:30 PM in the library. Reply here with questions.',
          ),
          after(7, 'You’re all set, {{FirstName}}. Reply STOP at any time if you don’t want our texts.'),
        ],
      },
    },
    'https://muster.example',
  );
}

/** A campaign on dates that is still being written. */
export async function createDripDraft(trx: Trx, cast: Cast): Promise<void> {
  const { accountId, numberIds, group: grade } = cast;
  const owner = await requireOwner(trx, cast);
  const groupId = await groupNamed(trx, accountId, grade);
  const { SequenceID, DraftBroadcastID } = await beginSequence(trx, owner);
  await addDraftLists(trx, owner, {
    params: { DraftBroadcastID },
    query: undefined,
    body: { Selection: { Type: 'Selected', Items: [{ ListID: groupId }] } },
  });
  const today = Temporal.Now.plainDateISO(owner.timeZone);
  const on = (days: number, time: string, message: string) => ({
    ...{ message, time, date: String(today.add({ days })), hasWait: true, mediaIds: [] },
  });
  await updateSequence(
    trx,
    owner,
    {
      params: { SequenceID },
      query: undefined,
      body: {
        name: `${grade} state tests`,
        textNumberId: numberIds[0] ?? 0,
        steps: [
          on(
            2,
            '3:30 PM',
            `Hi {{FirstName}}, ${grade} state tests start on Monday at 8:30 AM. A good night’s sleep and breakfast help.`,
          ),
          on(
            4,
            '6:00 PM',
            `Tests start tomorrow. Breakfast is free for all of ${grade} from 7:30 AM, in the cafeteria.`,
          ),
          on(
            7,
            '4:00 PM',
            'Hi {{FirstName}}, the math test is tomorrow. Please send a No. 2 pencil and a calculator without internet. Phones stay in the lockers until noon; call the office at (423) 555-0100 if you need to reach your child.',
          ),
          on(
            9,
            '3:30 PM',
            'The tests are done. Thank you for your help this week! Results come home in May.',
          ),
        ],
      },
    },
    'https://muster.example',
  );
}
