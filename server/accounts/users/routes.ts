import * as calls from '../../../contract/account-users.ts';
import { type App, serve, servePublic } from '../../serve.ts';
import { acceptInvitation, getInvitation } from './accept-invitation.ts';
import { addUser } from './add-user.ts';
import { listScheduledOfUsers } from './list-scheduled.ts';
import { getMember, getUsersSummary } from './queries.ts';
import { resendInvitation, withdrawInvitation } from './resend-invitation.ts';
import { switchUsers } from './switch-users.ts';
import { updateAccountUser } from './update-user.ts';

export function userRoutes(app: App): void {
  const { config } = app;
  serve(app, calls.getUsersSummary, getUsersSummary);
  serve(app, calls.getAccountUser, (trx, actor, { params }) => getMember(trx, actor, params.UserID, config));
  serve(app, calls.addAccountUser, (trx, actor, input) => addUser(trx, actor, input, config));
  serve(app, calls.updateAccountUser, (trx, actor, input) => updateAccountUser(trx, actor, input, config));
  serve(app, calls.updateAccountUsers, switchUsers);
  serve(app, calls.listScheduledOfUsers, listScheduledOfUsers);
  serve(app, calls.resendInvitation, (trx, actor, input) => resendInvitation(trx, actor, input, config));
  serve(app, calls.withdrawInvitation, withdrawInvitation);

  servePublic(app, calls.getInvitation, (visitor, input) => getInvitation(visitor, app.config, input));
  servePublic(app, calls.acceptInvitation, (visitor, input) => acceptInvitation(visitor, config, input));
}
