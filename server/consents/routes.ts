import type { CallDefinition, Input } from '../../contract/call.ts';
import * as calls from '../../contract/consents.ts';
import { asAccount } from '../db.ts';
import { createPhoneLookup } from '../outside/phone-lookup.ts';
import { type Actor, type App, serve, serveDownload, serveOutside } from '../serve.ts';
import { changeConsent, undoConsent } from './change-consent.ts';
import { downloadConsentEvents, listConsentEvents } from './list-consent-events.ts';
import { downloadOptOuts, listOptOuts } from './list-opt-outs.ts';
import { type Asking, getPhoneNumber, lookUpPhoneNumbers, validatePhoneNumber } from './look-up-phones.ts';

export function consentRoutes(app: App): void {
  serve(app, calls.listOptOuts, listOptOuts);
  serveDownload(app, calls.downloadOptOuts, downloadOptOuts);
  serve(app, calls.listConsentEvents, listConsentEvents);
  serveDownload(app, calls.downloadConsentEvents, downloadConsentEvents);
  serve(app, calls.changeConsent, changeConsent);
  serve(app, calls.undoConsent, undoConsent);

  const provider = createPhoneLookup(app.config);
  app.http.addHook('onClose', async () => provider?.close());
  const asking =
    <C extends CallDefinition, T>(carryOut: (asking: Asking, input: Input<C>) => Promise<T>) =>
    ({ database }: App, actor: Actor, input: Input<C>) =>
      carryOut(
        { actor, provider, inTransaction: (work) => asAccount(database, actor.accountId, work) },
        input,
      );
  serveOutside(app, calls.getPhoneNumber, asking(getPhoneNumber));
  serveOutside(app, calls.lookUpPhoneNumbers, asking(lookUpPhoneNumbers));
  serveOutside(app, calls.validatePhoneNumber, asking(validatePhoneNumber));
}
