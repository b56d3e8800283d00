import * as calls from '../../contract/sso.ts';
import { isSsoOnly } from '../auth/queries.ts';
import { createOpenId } from '../outside/openid.ts';
import { type App, serve, serveOutside, servePublic } from '../serve.ts';
import { createLoginToken, redeemLoginToken } from './create-login-token.ts';
import { findProvider } from './queries.ts';
import { callbackUrl, finishSso, startSso } from './sign-in-by-directory.ts';
import { deleteProvider, settingsOf, updateProvider } from './update-provider.ts';

export function ssoRoutes(app: App): void {
  const { config } = app;
  const openId = createOpenId(config.SSO_ALLOWED_HOSTS);
  servePublic(app, calls.startSso, (visitor, input) => startSso(visitor, { config, openId }, input));
  servePublic(app, calls.finishSso, (visitor, input) => finishSso(visitor, { config, openId }, input));
  servePublic(app, calls.redeemLoginToken, redeemLoginToken);
  serveOutside(app, calls.createLoginToken, createLoginToken);

  serve(app, calls.getSso, async (trx, actor) => {
    const row = await findProvider(trx, actor.accountId);
    return {
      Provider: row === undefined ? null : settingsOf(row),
      CallbackUrl: callbackUrl(config),
      IsSsoLoginOnly: await isSsoOnly(app.database, config, actor.accountId),
    };
  });
  serveOutside(app, calls.updateSso, (_app, actor, input) => updateProvider(app, openId, actor, input));
  serveOutside(app, calls.deleteSso, (_app, actor) => deleteProvider(app, actor));
}
