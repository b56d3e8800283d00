import * as recipientCalls from '../../../../contract/draft-recipients.ts';
import * as calls from '../../../../contract/drafts.ts';
import type { BuiltAccount, BuiltUser } from '../../../testing/builders.ts';
import type { TestApp } from '../../../testing/test-app.ts';

interface NewContact {
  first?: string;
  last?: string;
  phone?: string | null;
  second?: string;
  third?: string;
  by?: number;
}

/** The page's steps with a draft, and their results. */
export function createDraftSteps(app: TestApp, account: BuiltAccount) {
  const { system } = app.database;
  const account_id = account.accountId;

  async function begin(as: BuiltUser = account.owner): Promise<number> {
    return (await app.call(calls.createDraft, { body: {} }, as)).body.DraftBroadcastID;
  }

  async function addContacts(people: NewContact[]): Promise<number[]> {
    const rows = await system
      .insertInto('contacts')
      .values(
        people.map(({ first = '', last = '', phone = null, second, third, by }) => ({
          account_id,
          first_name: first,
          last_name: last,
          primary_phone: phone,
          secondary_phone: second ?? null,
          tertiary_phone: third ?? null,
          created_by_user_id: by ?? account.owner.userId,
        })),
      )
      .returning('person_id')
      .execute();
    return rows.map(({ person_id }) => person_id);
  }

  async function addGroup(name: string, personIds: number[], segment?: object): Promise<number> {
    const { group_id } = await system
      .insertInto('groups')
      .values({ account_id, name, segment: segment === undefined ? null : JSON.stringify(segment) })
      .returning('group_id')
      .executeTakeFirstOrThrow();
    if (personIds.length > 0) {
      await system
        .insertInto('group_members')
        .values(personIds.map((person_id) => ({ account_id, group_id, person_id, sort_name: '' })))
        .execute();
    }
    return group_id;
  }

  function addLists(DraftBroadcastID: number, listIds: number[], as: BuiltUser = account.owner) {
    const Items = listIds.map((ListID) => ({ ListID }));
    return app.call(
      recipientCalls.addDraftLists,
      { params: { DraftBroadcastID }, body: { Selection: { Type: 'Selected', Items } } },
      as,
    );
  }

  function paste(DraftBroadcastID: number, phones: string[], Name = '') {
    const Items = phones.map((PrimaryPhone) => ({ PrimaryPhone, Name }));
    return app.call(
      recipientCalls.addDraftNumbers,
      { params: { DraftBroadcastID }, body: { Items } },
      account.owner,
    );
  }

  /** The recipients in the order in which they were added: first name or number, and the problem. */
  async function list(
    DraftBroadcastID: number,
    query: {
      q?: string;
      problem?: 'good' | 'leftout' | recipientCalls.RecipientProblem;
      phonenumber?: string;
    } = {},
  ): Promise<[string, string | null][]> {
    const { body } = await app.call(
      recipientCalls.listDraftContacts,
      { params: { DraftBroadcastID }, query: { pagesize: 100, ...query } },
      account.owner,
    );
    return body.Items.map(({ FirstName, PrimaryPhone, Problem }) => [FirstName || PrimaryPhone, Problem]);
  }

  async function items(DraftBroadcastID: number) {
    const { body } = await app.call(
      recipientCalls.listDraftContacts,
      { params: { DraftBroadcastID }, query: { pagesize: 100 } },
      account.owner,
    );
    return body.Items;
  }

  async function summary(DraftBroadcastID: number) {
    return (await app.call(recipientCalls.getContactSummary, { params: { DraftBroadcastID } }, account.owner))
      .body;
  }

  /** Those who are left out, by reason. */
  async function leftOut(DraftBroadcastID: number): Promise<Record<string, number>> {
    const { LeftOut } = await summary(DraftBroadcastID);
    return Object.fromEntries(LeftOut.map(({ Problem, Count }) => [Problem, Count]));
  }

  function remove(
    DraftBroadcastID: number,
    Selection: { Type: 'Selected' | 'SelectedAll' | 'SelectedAllExcept'; Items?: number[] },
    query: {
      q?: string;
      problem?: 'good' | 'leftout' | recipientCalls.RecipientProblem;
      sourceId?: number;
    } = {},
  ) {
    return app.call(
      recipientCalls.removeDraftContacts,
      { params: { DraftBroadcastID }, query, body: { Selection } },
      account.owner,
    );
  }

  return { begin, addContacts, addGroup, addLists, paste, list, items, summary, leftOut, remove };
}
