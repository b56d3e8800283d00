import * as calls from '../../contract/accounts.ts';
import * as authCalls from '../../contract/auth.ts';
import { getSecret } from '../auth/queries.ts';
import { userHash } from '../auth/rules.ts';
import { type Actor, type App, serve, servePublic } from '../serve.ts';
import { createOrganization } from './create-organization.ts';
import { listUsers } from './list-users.ts';
import { getAccount, getUser } from './queries.ts';
import { updateAccount } from './update-account.ts';
import { updateUser } from './update-user.ts';

export function accountRoutes(app: App): void {
  servePublic(app, authCalls.createOrganization, (visitor, input) =>
    createOrganization(visitor, app.config, input),
  );

  servePublic(app, authCalls.getSetup, async ({ database }) => {
    const any = await database.system.selectFrom('accounts').select('account_id').limit(1).executeTakeFirst();
    return { NeedsOrganization: any === undefined };
  });

  const hashOf = async (actor: Actor) => userHash(await getSecret(app.database), actor.userId);

  serve(app, calls.getUser, async (trx, actor) => getUser(trx, actor, await hashOf(actor)));

  serve(app, calls.updateUser, async (trx, actor, input) => {
    await updateUser(trx, actor, input);
    return getUser(trx, actor, await hashOf(actor));
  });

  serve(app, calls.listAccountUsers, listUsers);

  serve(app, calls.updateAccount, updateAccount);

  serve(app, calls.getAccount, async (trx, actor, { query }) => ({
    ...(await getAccount(trx, actor)),
    ...(query.include === 'currentuser'
      ? { CurrentUser: await getUser(trx, actor, await hashOf(actor)) }
      : {}),
  }));
}
