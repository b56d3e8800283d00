import { Refusal } from '../../contract/errors.ts';
import { formOfPayload } from '../../contract/forms/registration/registration-payload.ts';
import { campaignDetails } from '../../contract/reference/campaign-details.ts';
import * as calls from '../../contract/registration.ts';
import { asSystem } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { listOrders } from '../numbers/order-number.ts';
import { keepTextNumber, releaseTextNumber } from '../numbers/release-text-number.ts';
import { createEinLookup } from '../outside/ein-lookup.ts';
import { equalSecrets } from '../outside/equal-secrets.ts';
import { createProviders } from '../outside/providers.ts';
import { isTwilioSignature } from '../outside/twilio-signature.ts';
import { createWebsiteChecker } from '../outside/website-check.ts';
import { type App, serve, serveOutside } from '../serve.ts';
import { nudgeRequests } from './advance-requests.ts';
import {
  buyLocalNumber,
  getUnregisteredNumber,
  listLocalNumbers,
  reserveLocalNumber,
  toOrder,
} from './buy-number.ts';
import { hostPages } from './host-pages.ts';
import { findCurrent, judgeRegistration, listRequests, type RequestRow, toRequest } from './queries.ts';
import { resendVerification } from './resend-verification.ts';
import { getDraft, saveDraft } from './save-draft.ts';
import { submitRegistration } from './submit-registration.ts';

export function registrationRoutes(app: App): void {
  const { database, config, http } = app;
  const providers = createProviders(config);
  const einLookup = createEinLookup(config);
  const websites = createWebsiteChecker(config);
  http.addHook('onClose', async () => {
    await Promise.all([providers.close(), einLookup?.close(), websites.close()]);
  });
  const context = { database, providers };

  serveOutside(app, calls.listLocalNumbers, (_, actor, input) => listLocalNumbers(context, actor, input));
  serveOutside(app, calls.reserveLocalNumber, (_, actor, input) => reserveLocalNumber(context, actor, input));
  serveOutside(app, calls.buyLocalNumber, (_, actor, input) => buyLocalNumber(context, actor, input));
  serve(app, calls.listNumberOrders, async (trx, actor) => ({
    Items: (await listOrders(trx, actor.accountId)).map(toOrder),
  }));
  serveOutside(app, calls.getUnregisteredNumber, (_, actor, input) =>
    getUnregisteredNumber(context, actor, input),
  );
  serve(app, calls.releaseTextNumber, releaseTextNumber);
  serve(app, calls.keepTextNumber, keepTextNumber);

  const registrar = { providers, config };
  serve(app, calls.createRegistrationRequest, (trx, actor, { body }) =>
    submitRegistration(trx, actor, registrar, { kind: 'Local', body }),
  );
  serve(app, calls.registerTollFree, (trx, actor, { body }) =>
    submitRegistration(trx, actor, registrar, { kind: 'TollFree', body }),
  );
  serve(app, calls.listRegistrationRequests, async (trx, actor) => {
    const rows = await listRequests(trx, actor.accountId);
    return { Items: rows.map(toRequest), Size: rows.length };
  });
  serve(app, calls.getCurrentRegistration, async (trx, actor) =>
    toRequest(required(await findCurrent(trx, actor.accountId, 'Local'))),
  );
  serve(app, calls.getTollFreeRegistration, async (trx, actor) =>
    toRequest(required(await findCurrent(trx, actor.accountId, 'TollFree'))),
  );
  serve(app, calls.getTollFreeForm, async (trx, { accountId }) => {
    const last = await findCurrent(trx, accountId, 'TollFree');
    const { brand, campaign } = required(last ?? (await findCurrent(trx, accountId, 'Local')));
    return { Form: formOfPayload(brand, campaign) };
  });
  serveOutside(app, calls.resendRegistrationEmail, (_, actor) => resendVerification(context, actor, 'email'));
  serveOutside(app, calls.resendRegistrationText, (_, actor) => resendVerification(context, actor, 'text'));

  serve(app, calls.getCapabilities, async (trx, actor) => ({
    texting: { createRegistrationRequest: await judgeRegistration(trx, actor, config) },
  }));
  serveOutside(
    app,
    calls.lookUpEin,
    async (_, __, { params }) => (await einLookup?.lookUp(params.ein)) ?? [],
  );
  serveOutside(app, calls.validateWebsite, async (_, __, { body }) => {
    const answer = await websites.check(body.Url);
    return {
      Valid: answer.isValid,
      ErrorMessage: answer.isValid ? null : answer.problem,
      OriginalUri: body.Url,
      RedirectedUri: answer.isValid ? answer.lastUrl : null,
    };
  });
  serve(app, calls.getReturningBrand, async (trx, actor) => ({
    apiData: returningBrand(await findCurrent(trx, actor.accountId, 'Local')),
  }));
  serve(app, calls.getCampaignDetails, async () => campaignDetails as never);
  serve(app, calls.getRegistrationDraft, (trx, actor) => getDraft(trx, actor, config.PUBLIC_URL));
  serve(app, calls.saveRegistrationDraft, saveDraft);
  http.get(calls.getCampaignDetails.path, async (_, reply) =>
    reply.type('application/json').header('cache-control', 'public, max-age=3600').send(campaignDetails),
  );
  hostPages(http, database);
  hookRoutes(app);
}

function required(row: RequestRow | undefined): RequestRow {
  if (row === undefined) throw new Refusal('notFound', 'There is no registration yet.');
  return row;
}

function returningBrand(row: RequestRow | undefined) {
  if (row === undefined)
    return { isReturningUser: false, requiresFormResubmission: false, registeredBrand: null };
  const { brand } = row;
  return {
    isReturningUser: true,
    requiresFormResubmission: row.status === 'Failed',
    registeredBrand: {
      website: brand.Website,
      businessContactEmail: brand.BusinessContactEmail,
      ein: brand.Ein,
      city: brand.City,
      companyName: brand.CompanyName,
      country: brand.Country,
      displayName: brand.DisplayName,
      email: brand.Email,
      entityType: brand.EntityType,
      firstName: brand.FirstName,
      lastName: brand.LastName,
      phoneNumber: brand.PhoneNumber,
      postalCode: brand.PostalCode,
      state: brand.State,
      stockExchange: brand.StockExchange,
      stockSymbol: brand.StockSymbol,
      street: brand.Street,
      vertical: brand.Vertical,
    },
  };
}

/**
 * Events posted by the registrars. They are only hints: open registrations are queried, so nothing in the
 * body has to be trusted. Infobip is authenticated by the secret in the URL, Twilio by its signature.
 */
function hookRoutes({ http, database, config }: App): void {
  const nudge = (aggregatorId: number, event: string) =>
    asSystem(database, async (trx) => {
      await nudgeRequests(trx, aggregatorId, event);
      await enqueue(trx, 'advance_registrations', {});
    });
  const { INFOBIP_WEBHOOK_SECRET: secret, TWILIO_AUTH_TOKEN: token } = config;
  if (secret !== undefined)
    http.post(
      '/hooks/infobip/registration/:secret',
      { config: { callName: 'hook.infobip.registration' } },
      async (request, reply) => {
        if (!equalSecrets((request.params as { secret: string }).secret, secret))
          return reply.code(403).send({ Message: 'Not accepted.' });
        const { body } = request;
        await nudge(5, Buffer.isBuffer(body) ? body.toString('utf8') : JSON.stringify(body ?? ''));
        return reply.send({});
      },
    );
  if (token !== undefined)
    http.post(
      '/hooks/twilio/registration',
      { config: { callName: 'hook.twilio.registration' } },
      async (request, reply) => {
        const given = String(request.headers['x-twilio-signature'] ?? '');
        const url = config.PUBLIC_URL + request.url;
        const body = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
        const form = new URLSearchParams(body.startsWith('[') ? '' : body);
        if (!isTwilioSignature(given, token, url, form))
          return reply.code(403).send({ Message: 'Not accepted.' });
        await nudge(2, body);
        return reply.send({});
      },
    );
}
