import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import {
  asksForCampaign,
  type RegistrationContext,
  type RegistrationForm,
  registrationFailures,
} from '../../contract/forms/registration/registration-form.ts';
import { formOfPayload } from '../../contract/forms/registration/registration-payload.ts';
import {
  registrationMessages,
  registrationPayload,
} from '../../contract/forms/registration/registration-submission.ts';
import { checkAreaCode } from '../../contract/phone/check-area-code.ts';
import { normalizePhone } from '../../contract/phone/normalize-phone.ts';
import { suggestCampaign } from '../../contract/reference/campaign-details.ts';
import { messageFlow } from '../../contract/reference/consent-types.ts';
import { fillSuggestion } from '../../contract/reference/suggest-campaign.ts';
import type { NewBrand, NewCampaign, RegistrationRequest } from '../../contract/registration.ts';
import { may } from '../access/refuse-unless.ts';
import type { Config } from '../config.ts';
import type { Trx } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { notify } from '../notify.ts';
import { listNumbersToRegister, registerNumbers } from '../numbers/register-numbers.ts';
import type { Providers } from '../outside/providers.ts';
import type { Made } from '../outside/registrar.ts';
import type { Actor } from '../serve.ts';
import { orderMissingNumber } from './order-missing-number.ts';
import {
  findCurrent,
  hasInfobipNumbers,
  judgeRegistration,
  type RequestRow,
  requestColumns,
  toRequest,
} from './queries.ts';

interface Submission {
  NewBrand: NewBrand;
  NewCampaign: NewCampaign;
}

/** The host of the product’s own privacy policy, which nobody may register with. */
export function productPrivacyHost(publicUrl: string): string {
  return new URL(publicUrl).hostname;
}

/**
 * Submits the organization. Only the row exists until a worker sends it to the registrar; two submissions are
 * one, because only one can be open.
 */
export async function submitRegistration(
  trx: Trx,
  actor: Actor,
  { providers, config }: { providers: Providers; config: Config },
  { kind, body }: { kind: 'Local' | 'TollFree'; body: Submission },
): Promise<RegistrationRequest> {
  await sql`select from accounts where account_id = ${actor.accountId} for no key update`.execute(trx);
  const previous = await findCurrent(trx, actor.accountId, kind);
  if (previous?.status === 'Processing' || previous?.status === 'PendingContactAuthentication')
    throw refuseExisting();
  if (kind === 'Local') {
    const { allowed, reasons } = await judgeRegistration(trx, actor, config);
    if (!allowed)
      throw new Refusal('refused', disallowedSentences[reasons[0]?.type ?? ''] ?? 'This can’t be done.', {
        extendedData: { type: 'registration-not-allowed', reasons },
      });
  }
  const context: RegistrationContext = {
    hasInfobipNumbers: await hasInfobipNumbers(trx, actor.accountId),
    productPrivacyHost: productPrivacyHost(config.PUBLIC_URL),
    mayPromote: may(actor, 'registerPromotional'),
  };
  const form = formOfPayload(body.NewBrand, body.NewCampaign);
  // If the user describes the texts of a toll-free number, or corrects what was refused, their own words are used,
  // whatever other numbers they have.
  context.describesCampaign =
    (kind === 'TollFree' || previous?.status === 'Failed') && form.Description.trim() !== '';
  refuseFailures(registrationFailures(form, context), form);
  const payload = registrationPayload(form);
  const brand = {
    ...body.NewBrand,
    StockSymbol: '',
    StockExchange: '',
    BusinessContactEmail: '',
    ...payload.NewBrand,
  };
  const campaign = completeCampaign(form, asksForCampaign(form, context), {
    ...body.NewCampaign,
    PrivacyPolicyUrl: '',
    ...payload.NewCampaign,
  });
  const aggregatorId = registrarFor(providers, kind, brand.EntityType);
  const row = await insertRequest(trx, actor, { kind, aggregatorId, brand, campaign, previous });
  await coverNumbers(trx, actor, row);
  await enqueue(trx, 'advance_registrations', {});
  await notify(trx, actor.accountId, [{ type: 'registration.changed' }, { type: 'settings.changed' }]);
  return toRequest(row);
}

const disallowedSentences: Readonly<Record<string, string>> = {
  USER_NOT_AUTHORIZED: 'Ask your account owner to set up texting.',
  HAS_REGISTERED_NUMBER:
    'Your organization is registered. New local numbers are added to the registration automatically.',
  IN_REGISTRATION_GROUP: 'Your organization is registered together with others. Contact support.',
  NOT_PAYING_CUSTOMER: 'Upgrade your account before you register.',
};

function refuseExisting(): Refusal {
  const message = registrationMessages.exists;
  return new Refusal('conflict', message, {
    extendedData: {
      status: 409,
      type: 'registration-request-exists',
      name: 'registration-request-exists',
      detail: message,
    },
  });
}

/** Every invalid field at once, under the names of the payload. */
function refuseFailures(failures: ReturnType<typeof registrationFailures>, form: RegistrationForm): void {
  const phone = failures.PhoneNumber ?? checkAreaCode(normalizePhone(form.PhoneNumber) ?? form.PhoneNumber);
  const wrong = Object.entries({ ...failures, PhoneNumber: phone }).filter(
    (each): each is [string, string] => each[1] !== undefined,
  );
  if (wrong.length === 0) return;
  const detail = registrationMessages.invalidFields;
  throw new Refusal('invalid', detail, {
    fields: wrong.map(([Field, Message]) => ({ Field, Message })),
    extendedData: {
      status: 400,
      type: 'registration-invalid',
      name: 'registration-invalid',
      detail,
      errors: Object.fromEntries(wrong.map(([field, description]) => [field, [{ description }]])),
    },
  });
}

/**
 * Fields that weren’t asked are generated from the template of the industry: carriers require them from
 * everybody.
 */
function completeCampaign(form: RegistrationForm, isAsked: boolean, campaign: NewCampaign): NewCampaign {
  const ConsentType = campaign.ConsentType || 'Verbal';
  const suggested = suggestCampaign(
    {
      Vertical: form.Vertical,
      IsPromotional: form.IsPromotionalRegistration === true,
      DisplayName: form.DisplayName,
    },
    Math.random,
  );
  const own = isAsked ? campaign : { ...campaign, Description: '', Sample1: '', Sample2: '' };
  // Twilio wants two samples from everybody.
  const texts = fillSuggestion(own, suggested);
  return { ...campaign, ConsentType, MessageFlow: messageFlow(ConsentType), ...texts };
}

function registrarFor(providers: Providers, kind: 'Local' | 'TollFree', entityType: string): number {
  for (const id of [5, 2]) if (providers.registrars.get(id)?.takes(kind, entityType)) return id;
  throw new Refusal('refused', 'No registrar is set up for this. Ask your Muster administrator.');
}

async function insertRequest(
  trx: Trx,
  actor: Actor,
  of: {
    kind: 'Local' | 'TollFree';
    aggregatorId: number;
    brand: NewBrand;
    campaign: NewCampaign;
    previous: RequestRow | undefined;
  },
): Promise<RequestRow> {
  const { kind, aggregatorId, brand, campaign, previous } = of;
  const reused =
    previous?.status === 'Failed' && previous.aggregator_id === aggregatorId ? previous : undefined;
  // Only the newest one of a kind counts: an earlier one that is complete isn't looked at any more.
  await sql`
    update registration_requests set look_at = null
    where account_id = ${actor.accountId} and kind = ${kind} and look_at is not null`.execute(trx);
  const reference = reused?.reference ?? `muster-${randomBytes(12).toString('hex')}`;
  const { rows } = await sql<RequestRow>`
    insert into registration_requests
      (account_id, user_id, kind, aggregator_id, brand, campaign, reference, made, look_at)
    values (${actor.accountId}, ${actor.userId}, ${kind}, ${aggregatorId}, ${JSON.stringify(brand)}::jsonb,
      ${JSON.stringify(campaign)}::jsonb, ${reference}, ${JSON.stringify(correct(reused?.made ?? {}))}::jsonb, now())
    returning ${requestColumns}`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error('the registration was not written');
  return row;
}

/** Objects of a refused registration are corrected there instead of being created again. */
function correct(made: Made): Made {
  const { brandBody: _b, campaignBody: _c, profileStage: _p, productStage: _s, ...objects } = made;
  const { addressBody: _a, personBody: _e, soleBody: _o, ...kept } = objects;
  if (made.brandId !== undefined || made.brandSid !== undefined) return kept;
  // A toll-free number has no separate brand: a refused one is sent and registered again.
  const { campaignStage: _r, verificationBody: _v, ...tollFree } = kept;
  return tollFree;
}

/** The account’s numbers wait for it. Without one that it can cover, one is ordered. */
async function coverNumbers(trx: Trx, actor: Actor, row: RequestRow): Promise<void> {
  const { accountId } = actor;
  const numbers = await listNumbersToRegister(trx, {
    accountId,
    aggregatorId: row.aggregator_id,
    kind: row.kind,
  });
  const waiting = numbers.filter((number) => number.registration_status !== 'Registered');
  await registerNumbers(
    trx,
    accountId,
    waiting.map((number) => number.text_number_id),
    { status: 'Pending', requestId: row.request_id },
  );
  if (numbers.length === 0) await orderMissingNumber(trx, row);
}
