import { specialGroups } from '../../contract/contacts.ts';
import { type Found, mostOfKind, searchEverything } from '../../contract/search.ts';
import { may } from '../access/refuse-unless.ts';
import { listContacts } from '../contacts/list/list-contacts.ts';
import type { Trx } from '../db.ts';
import { type Actor, type App, serve } from '../serve.ts';
import { findNamed } from './find-named.ts';

export function searchRoutes(app: App): void {
  serve(app, searchEverything, async (trx, actor, { query }) => {
    const found = [...(await findPeople(trx, actor, query.q)), ...(await findNamed(trx, actor, query.q))];
    const exact = found.filter(({ IsSimilar }) => !IsSimilar);
    // What is only similar is a guess, for when nothing has the words.
    return { Items: exact.length > 0 ? exact : found };
  });
}

/** By the search of the contacts page, so that both find the same. */
async function findPeople(trx: Trx, actor: Actor, q: string): Promise<Found[]> {
  if (!may(actor, 'manageOwnContacts')) return [];
  const { Items, IsSimilar } = await listContacts(trx, actor, {
    params: { ListID: specialGroups.everyone },
    query: {
      q,
      page: 1,
      pagesize: mostOfKind,
      sortby: 'name',
      next: undefined,
      consent: undefined,
      problem: undefined,
    },
    body: undefined,
  });
  return Items.map(({ PersonID, FirstName, LastName, PrimaryPhone }) => ({
    Kind: 'Person',
    ID: PersonID,
    Name: `${FirstName} ${LastName}`.trim(),
    IsSimilar,
    PhoneNumber: PrimaryPhone === '' ? null : PrimaryPhone,
    RosterCount: null,
    Timestamp: null,
  }));
}
