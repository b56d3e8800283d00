import * as calls from '../../contract/accounts.ts';
import { getSecret } from '../auth/queries.ts';
import { userHash } from '../auth/rules.ts';
import { type Actor, type App, serve } from '../serve.ts';
import { getAccount, getUser } from './queries.ts';

export function accountRoutes(app: App): void {
  const hashOf = async (actor: Actor) => userHash(await getSecret(app.database), actor.userId);

  serve(app, calls.getUser, async (trx, actor) => getUser(trx, actor, await hashOf(actor)));

  serve(app, calls.getAccount, async (trx, actor, { query }) => ({
    ...(await getAccount(trx, actor)),
    ...(query.include === 'currentuser'
      ? { CurrentUser: await getUser(trx, actor, await hashOf(actor)) }
      : {}),
  }));
}
