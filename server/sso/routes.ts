import * as calls from '../../contract/sso.ts';
import { isSsoOnly } from '../auth/queries.ts';
import { type App, serve, serveOutside, servePublic } from '../serve.ts';
import { callbackUrl, createProtocols, ownSaml, type Protocols } from './ask-directory.ts';
import { createLoginToken, redeemLoginToken } from './create-login-token.ts';
import { mailProofsAgain, proveDomain } from './prove-domain.ts';
import { findProvider } from './queries.ts';
import { finishSso, startSso } from './sign-in-by-directory.ts';
import { deleteProvider, settingsOf, updateProvider } from './update-provider.ts';

/** A signed response with a few hundred groups. */
const answerBytes = 256 * 1024;

export function ssoRoutes(app: App): void {
  const { config } = app;
  const protocols = createProtocols(app.database, config);
  servePublic(app, calls.startSso, (visitor, input) => startSso(visitor, { config, protocols }, input));
  servePublic(app, calls.finishSso, (visitor, input) => finishSso(visitor, { config, protocols }, input));
  servePublic(app, calls.proveDomain, proveDomain);
  servePublic(app, calls.redeemLoginToken, redeemLoginToken);
  serveOutside(app, calls.createLoginToken, createLoginToken);
  samlRoutes(app, protocols);

  serve(app, calls.getSso, async (trx, actor) => {
    const row = await findProvider(trx, actor.accountId);
    const { entityId, acsUrl } = ownSaml(config);
    return {
      Provider: row === undefined ? null : settingsOf(row),
      CallbackUrl: callbackUrl(config),
      Saml: { EntityID: entityId, AcsUrl: acsUrl, MetadataUrl: entityId },
      IsSsoLoginOnly: await isSsoOnly(app.database.system, config, actor.accountId),
    };
  });
  serveOutside(app, calls.updateSso, (_app, actor, input) => updateProvider(app, protocols, actor, input));
  serveOutside(app, calls.mailDomainProofs, (_app, actor) => mailProofsAgain(app, actor));
  serveOutside(app, calls.deleteSso, (_app, actor) => deleteProvider(app, actor));
}

/**
 * A SAML directory has the browser post its response here, from its own page and so without our cookies. The
 * response is verified and saved; the page that the browser is redirected to requests it with the cookie of
 * the browser that started.
 */
function samlRoutes({ http }: App, { saml, takeSamlAnswer }: Protocols): void {
  http.post(
    '/sso/saml',
    { bodyLimit: answerBytes, config: { callName: 'hook.saml', isPublic: true } },
    async (request, reply) => {
      const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString() : '');
      const page = await takeSamlAnswer(form.get('SAMLResponse') ?? '');
      return reply.header('cache-control', 'no-store').redirect(page, 303);
    },
  );
  http.get('/sso/saml/metadata', async (_request, reply) =>
    reply.type('application/samlmetadata+xml').send(saml.ownDescription()),
  );
}
