import * as calls from '../../contract/auth.ts';
import * as passwordCalls from '../../contract/passwords.ts';
import { deviceName } from '../../contract/text/device-name.ts';
import { nowMs } from '../clock.ts';
import { type App, serve, serveOutside, servePublic } from '../serve.ts';
import { changePassword } from './change-password.ts';
import { factorRoutes } from './factors/routes.ts';
import { forgotPassword } from './forgot-password.ts';
import type { SignInMethod } from './open-session.ts';
import { getSecret, listSessionRows } from './queries.ts';
import { replaceExpiredPassword } from './replace-expired-password.ts';
import { resetPassword } from './reset-password.ts';
import { resetSession } from './reset-session.ts';
import { revokeOtherSessions, revokeSession } from './revoke-session.ts';
import { placeOf, socketKey } from './rules.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';

export function authRoutes(app: App): void {
  servePublic(app, calls.login, (visitor, input) => signIn(visitor, app.config, input));
  servePublic(app, calls.replaceExpiredPassword, (visitor, input) =>
    replaceExpiredPassword(visitor, app.config, input),
  );
  servePublic(app, passwordCalls.forgotPassword, (visitor, input) =>
    forgotPassword(visitor, app.config, input),
  );
  servePublic(app, passwordCalls.resetPassword, resetPassword);
  serveOutside(app, passwordCalls.changePassword, changePassword);
  servePublic(app, passwordCalls.resetSession, (visitor, input) => resetSession(visitor, app.config, input));
  servePublic(app, calls.logout, (visitor) => signOut(visitor, app.config));

  serve(app, calls.listSessions, async (trx, actor) => {
    const rows = await listSessionRows(trx, actor);
    const Items = rows.map((row) => ({
      ...row,
      IsCurrent: row.SessionID === actor.sessionId,
      Browser: deviceName(row.Device),
      Place: placeOf(row.Address),
      Method: row.Method as SignInMethod,
    }));
    return { Items, Size: Items.length };
  });

  serve(app, calls.revokeSession, revokeSession);
  serve(app, calls.revokeOtherSessions, revokeOtherSessions);
  factorRoutes(app);

  serve(app, calls.getSocketKey, async (_trx, actor) => ({
    Key: socketKey(await getSecret(app.database), actor, nowMs()),
  }));
}
