import * as userCalls from '../../contract/account-users.ts';
import * as calls from '../../contract/accounts.ts';
import * as authCalls from '../../contract/auth.ts';
import { getSecret } from '../auth/queries.ts';
import { helpChatHash, userHash } from '../auth/rules.ts';
import { isSignUpOpen } from '../config.ts';
import { type Actor, type App, serve, serveOutside, servePublic } from '../serve.ts';
import { createOrganization } from './create-organization.ts';
import { listUsers } from './list-users.ts';
import { getAccount, getUser } from './queries.ts';
import { setPicture } from './set-picture.ts';
import { updateUser } from './update-user.ts';
import { userRoutes } from './users/routes.ts';
import { validateEmail, validateUserName } from './validate-name.ts';

export function accountRoutes(app: App): void {
  const { config } = app;

  servePublic(app, authCalls.createOrganization, (visitor, input) =>
    createOrganization(visitor, app.config, input),
  );

  servePublic(app, authCalls.getSetup, async ({ database }) => {
    const any = await database.system.selectFrom('accounts').select('account_id').limit(1).executeTakeFirst();
    return { NeedsOrganization: any === undefined, CanSignUp: any !== undefined && isSignUpOpen(app.config) };
  });

  const { HELP_CHAT_SECRET } = config;
  const hashOf = async (actor: Actor) =>
    HELP_CHAT_SECRET === undefined
      ? userHash(await getSecret(app.database), actor.userId)
      : helpChatHash(HELP_CHAT_SECRET, actor.userId);

  serve(app, calls.getUser, async (trx, actor) => getUser(trx, actor, await hashOf(actor), config));

  serve(app, calls.updateUser, async (trx, actor, input) => {
    await updateUser(trx, actor, input, config);
    return getUser(trx, actor, await hashOf(actor), config);
  });

  // server/media accepts a new picture and decodes it.
  serve(app, calls.deleteProfilePicture, async (trx, actor) => {
    await setPicture(trx, actor, null);
    return getUser(trx, actor, await hashOf(actor), config);
  });

  serveOutside(app, calls.validateUserName, validateUserName);
  serve(app, calls.validateEmail, (trx, actor, input) => validateEmail(trx, actor, input, config));

  serve(app, userCalls.listAccountUsers, (trx, actor, input) => listUsers(trx, actor, input, config));
  userRoutes(app);

  serve(app, calls.getAccount, async (trx, actor, { query }) => ({
    ...(await getAccount(trx, actor, config)),
    ...(query.include === 'currentuser'
      ? { CurrentUser: await getUser(trx, actor, await hashOf(actor), config) }
      : {}),
  }));
}
