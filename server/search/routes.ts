import { type Found, mostOfKind, searchEverything } from '../../contract/search.ts';
import { may } from '../access/refuse-unless.ts';
import { findFewContacts } from '../contacts/list/find-few.ts';
import type { Trx } from '../db.ts';
import { type Actor, type App, serve } from '../serve.ts';
import { findNamed } from './find-named.ts';

export function searchRoutes(app: App): void {
  serve(app, searchEverything, async (trx, actor, { query: { q } }) => {
    const people = await findPeople(trx, actor, q);
    const named = await findNamed(trx, actor, q);
    const exact = [...people.filter(({ IsSimilar }) => !IsSimilar), ...named];
    if (exact.length > 0) return { Items: exact };
    // A similar name is a guess, for when nothing matches the words.
    return { Items: [...people, ...(await findNamed(trx, actor, q, { isSimilar: true }))] };
  });
}

async function findPeople(trx: Trx, actor: Actor, q: string): Promise<Found[]> {
  if (!may(actor, 'manageOwnContacts')) return [];
  const { people, isSimilar } = await findFewContacts(trx, actor, q, mostOfKind);
  return people.map(({ PersonID, FirstName, LastName, PrimaryPhone }) => ({
    Kind: 'Person',
    ID: PersonID,
    Name: `${FirstName} ${LastName}`.trim(),
    IsSimilar: isSimilar,
    PhoneNumber: PrimaryPhone === '' ? null : PrimaryPhone,
    RosterCount: null,
    Timestamp: null,
  }));
}
