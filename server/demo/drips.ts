import { findActiveActor } from '../access/load-actor.ts';
import { createSequence } from '../broadcasts/drips/create-sequence.ts';
import { beginSequence } from '../broadcasts/drips/write-sequence.ts';
import type { Trx } from '../db.ts';

interface Cast {
  accountId: number;
  ownerId: number;
  numberIds: number[];
  /** Whose members go through the campaign, and whoever joins it. */
  group: string;
}

const after = (afterDays: number, message: string) => ({
  ...{ message, afterDays, time: '9:00 AM', hasWait: true, date: '', mediaIds: [] },
});

/** A campaign that families go through from the day they join a group. Its first texts go out tomorrow. */
export async function createDrips(trx: Trx, { accountId, ownerId, numberIds, group }: Cast): Promise<void> {
  const owner = await findActiveActor(trx, accountId, ownerId);
  if (owner === undefined) throw new Error('the demo has no owner');
  const { group_id: groupId } = await trx
    .selectFrom('groups')
    .select('group_id')
    .where('account_id', '=', accountId)
    .where('name', '=', group)
    .executeTakeFirstOrThrow();
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
