import * as calls from '../../../contract/second-factors.ts';
import { type App, serve, serveOutside, servePublic } from '../../serve.ts';
import { getSecret } from '../queries.ts';
import { addPasskey, beginPasskey } from './add-passkey.ts';
import { askConfirmation, confirmIdentity } from './confirm-identity.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { createRecoveryCodes } from './keep-recovery-codes.ts';
import {
  countRecoveryCodes,
  findPasskeyPlace,
  findTotpRow,
  isSecondFactorRequired,
  listPasskeyRows,
} from './queries.ts';
import { removePasskey, removeTotp, resetFactors } from './remove-factor.ts';
import { activateTotp, beginTotp, personOf } from './set-up-totp.ts';
import { getSecurity, updateSecurity } from './update-security.ts';

export function factorRoutes(app: App): void {
  servePublic(app, calls.finishSignIn, (visitor, input) => finishSignIn(visitor, app.config, input));

  serve(app, calls.listSecondFactors, async (trx, actor) => {
    const person = personOf(actor);
    const totp = await findTotpRow(trx, person);
    const passkeys = await listPasskeyRows(trx, person);
    return {
      Totp: totp ? { CreateTimestamp: totp.created_at, LastUsedTimestamp: totp.last_used_at } : null,
      Passkeys: passkeys.map((key) => ({
        PasskeyID: key.passkey_id,
        Name: key.name,
        CreateTimestamp: key.created_at,
        LastUsedTimestamp: key.last_used_at,
      })),
      RecoveryCodesLeft: await countRecoveryCodes(trx, person),
      CanUsePasskeys: findPasskeyPlace(app.config, actor.host ?? '') !== undefined,
      IsRequired: await isSecondFactorRequired(trx, actor.accountId),
    };
  });

  // These check a password, a code or a key, and count failures. The count must survive a refusal, so they
  // open their own transactions.
  serveOutside(app, calls.beginTotp, beginTotp);
  serveOutside(app, calls.activateTotp, activateTotp);
  serveOutside(app, calls.beginPasskey, (_app, actor) => beginPasskey(app, actor, actor.host ?? ''));
  serveOutside(app, calls.addPasskey, (_app, actor, input) =>
    addPasskey(app, actor, input, actor.host ?? ''),
  );
  serveOutside(app, calls.askConfirmation, (_app, actor) => askConfirmation(app, actor, actor.host ?? ''));
  serveOutside(app, calls.confirmIdentity, (_app, actor, input) =>
    confirmIdentity(app, actor, input, actor.host ?? ''),
  );

  serve(app, calls.removeTotp, removeTotp);
  serve(app, calls.removePasskey, removePasskey);
  serve(app, calls.createRecoveryCodes, async (trx, actor) =>
    createRecoveryCodes(trx, actor, await getSecret(app.database)),
  );
  serve(app, calls.getAccountSecurity, getSecurity);
  serve(app, calls.updateAccountSecurity, updateSecurity);
  serve(app, calls.resetSecondFactors, resetFactors);
}
