import type { Input } from '../../contract/call.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { fieldErrors } from '../../contract/fields/form.ts';
import {
  areaCodeForm,
  companyErrorField,
  type OnboardingForm,
  onboardingForm,
} from '../../contract/forms/onboarding.ts';
import type { updateOnboardingStep as definition } from '../../contract/onboarding.ts';
import { normalizePhone } from '../../contract/phone/normalize-phone.ts';
import { validatePhone } from '../../contract/phone/validate-phone.ts';
import { isUseCase } from '../../contract/reference/canned-messages.ts';
import { countries } from '../../contract/reference/countries.ts';
import { industryIdOf, isIndustry } from '../../contract/reference/industries.ts';
import { currentOnboardingStep, type OnboardingStep } from '../../contract/states/onboarding-steps.ts';
import { isZone } from '../../contract/time/zone-offset.ts';
import { findZoneOfSetting } from '../../contract/time/zones.ts';
import { refuseUnless } from '../access/refuse-unless.ts';
import { agreeToTerms, fillInAccount, fillInUser } from '../accounts/fill-in.ts';
import { currentTerms } from '../accounts/read-terms.ts';
import { changesOf } from '../accounts/rules.ts';
import { refuseWithNumbers } from '../accounts/update-account.ts';
import type { Config } from '../config.ts';
import type { Trx } from '../db.ts';
import { addAddress, listAddresses, updateAddress } from '../invoices/change-addresses.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor } from '../serve.ts';
import { getOnboardingStep, requireStep } from './get-onboarding.ts';
import { collectFlags, type Progress, readProgress } from './read-progress.ts';

type Body = Input<typeof definition>['body'];

/**
 * A step's answers, and whether it is complete. Everything is saved as it arrives, so that it can be
 * interrupted and resumed.
 */
export async function updateOnboardingStep(
  trx: Trx,
  actor: Actor,
  config: Config,
  { params, body }: Pick<Input<typeof definition>, 'params' | 'body'>,
) {
  const progress = await readProgress(trx, actor, config);
  requireStep(progress, params.Step);
  await save[params.Step]?.({ trx, actor, config, progress, body });
  if (body.Completed && !derived.includes(params.Step)) await completeStep(trx, actor, params.Step);
  if (!body.Completed) await reopenStep(trx, actor, params.Step);
  const { answers } = await readProgress(trx, actor, config);
  await recordEvents(trx, actor, [
    params.Step === 'terms'
      ? { kind: 'terms.agreed', changes: { Version: currentTerms(config).version } }
      : {
          kind: 'onboarding.updated',
          changes: { Step: params.Step, ...changesOf(progress.answers, answers) },
        },
  ]);
  await notify(trx, actor.accountId, [{ type: 'settings.changed' }]);
  return getOnboardingStep(trx, actor, config, { params });
}

/** Complete by the actual state of the user, not by request. */
const derived: OnboardingStep[] = ['terms', 'verifyEmail'];

interface Saving {
  trx: Trx;
  actor: Actor;
  config: Config;
  progress: Progress;
  body: Body;
}

const save: Partial<Record<OnboardingStep, (saving: Saving) => Promise<void>>> = {
  terms: saveTerms,
  location: saveLocation,
  company: saveCompany,
  useCase: saveUseCase,
  verifyEmail: refuseUnverified,
  addLocalNumber: saveAreaCode,
  done: saveDone,
};

async function saveTerms({ trx, actor, config, body }: Saving): Promise<void> {
  const { version } = currentTerms(config);
  if (!body.Completed) throw new Refusal('refused', 'Agree to the terms to use Muster.');
  if (body.TermsVersion !== undefined && body.TermsVersion !== version)
    throw new Refusal('conflict', 'The terms have changed in the meantime. Read them again.');
  await agreeToTerms(trx, actor, version);
}

async function saveLocation({ trx, actor, body }: Saving): Promise<void> {
  const { CountryID: countryId, LanguageID: languageId } = body;
  if (countryId !== undefined && !countries.some(({ id }) => id === countryId))
    throw refuseField('CountryID', 'Select a country');
  const timeZone = readZone(body, countryId);
  await fillInUser(trx, actor, {
    ...(timeZone !== undefined && { timeZone }),
    ...(languageId !== undefined && { languageId }),
  });
  // The owner sets the location of the organization.
  if (actor.role === 'owner') {
    if (countryId !== undefined && countryId !== actor.account.CountryID) await refuseWithNumbers(trx, actor);
    await fillInAccount(trx, actor.accountId, {
      ...(countryId !== undefined && { countryId }),
      ...(timeZone !== undefined && { timeZone }),
    });
  }
}

/** The zone by its name, or in the specification's format: hours from Central, and daylight saving. */
function readZone(body: Body, countryId: number | undefined): string | undefined {
  const { TimeZone, TimeZoneOffset, ObservesDayLightSavings } = body;
  if (TimeZone !== undefined) {
    if (!isZone(TimeZone)) throw refuseField('TimeZone', 'Select a time zone');
    return TimeZone;
  }
  if (TimeZoneOffset === undefined) return undefined;
  const found = findZoneOfSetting(
    { TimeZoneOffset, ObservesDaylightSavings: ObservesDayLightSavings ?? true },
    countryId,
  );
  if (found === undefined) throw refuseField('TimeZoneOffset', 'Select a time zone');
  return found.iana;
}

async function saveCompany({ trx, actor, progress, body }: Saving): Promise<void> {
  refuseUnless(actor, 'editAccountSettings');
  const countryId = progress.answers.country_id;
  const address = body.InvoiceBillingAddress;
  const given = {
    ...body,
    ...(address && {
      Address3: address.Line1,
      Address4: address.Line2,
      City: address.City,
      PostalCode: address.PostalCode,
      State: body.State ?? address.StateOrProvince,
    }),
  };
  const form = onboardingForm({ countryId, ...collectFlags(progress.collects) });
  const errors = Object.entries(fieldErrors(form, given));
  if (given.Industry && !isIndustry(given.Industry)) errors.push(['Industry', 'Enter an Industry']);
  const phone = validatePhone(given.Phone ?? '', countryId);
  if (phone.error !== undefined && !errors.some(([field]) => field === 'Phone'))
    errors.push([companyErrorField('phone') ?? 'Phone', phone.error]);
  const [first] = errors;
  if (first !== undefined)
    throw new Refusal('invalid', first[1], {
      fields: errors.map(([Field, Message]) => ({ Field, Message })),
    });
  const values = form.parse(given);
  await fillInAccount(trx, actor.accountId, {
    companyName: values.CompanyName,
    state: values.State,
    ...(isIndustry(values.Industry) && { industryId: industryIdOf(values.Industry) }),
  });
  if (progress.collects.includes('InvoiceBillingAddress'))
    await keepInvoiceAddress(trx, actor, progress, values);
  await fillInUser(trx, actor, { phone: values.Phone });
  await saveActivation(trx, actor.accountId, {
    how_they_heard: values.HowTheyHeard,
    industry: values.Industry,
    phone: normalizePhone(given.Phone ?? '', countryId) ?? '',
    address_line1: values.Address3,
    address_line2: values.Address4,
    city: values.City,
    postal_code: values.PostalCode,
    lawson_number: values.LawsonNumber,
    amazon_email: values.AmazonEmail,
    blanket_po: values.BlanketPO,
  });
}

/** The address that invoices start with. A new answer replaces the earlier one. */
async function keepInvoiceAddress(
  trx: Trx,
  actor: Actor,
  { answers }: Progress,
  { CompanyName, Address3, Address4, City, State, PostalCode }: OnboardingForm,
): Promise<void> {
  const input = { params: { AccountID: actor.accountId }, query: undefined };
  const body = { Address1: CompanyName, Address2: '', Address3, Address4, City, State, PostalCode };
  const { Items } = await listAddresses(trx, actor, false);
  const before = Items.find(
    (address) =>
      address.Address3 === answers.address_line1 &&
      address.City === answers.city &&
      address.PostalCode === answers.postal_code,
  );
  if (before === undefined) await addAddress(trx, actor, { ...input, body });
  else await updateAddress(trx, actor, { ...input, body: { ...body, AddressID: before.AddressID } });
}

async function saveUseCase({ trx, actor, body }: Saving): Promise<void> {
  const { UseCase = '' } = body;
  if (body.Completed && !isUseCase(UseCase)) throw refuseField('UseCase', 'Select what you want to do first');
  await saveActivation(trx, actor.accountId, { use_case: UseCase });
}

async function refuseUnverified({ progress, body }: Saving): Promise<void> {
  if (body.Completed && progress.answers.needs_email_verification)
    throw new Refusal('refused', 'Open the link in the email that we sent you first.');
}

async function saveAreaCode({ trx, actor, body }: Saving): Promise<void> {
  const { LocalNumberAreaCode } = body;
  // Without one the step is skipped: the user can get a number later.
  if (LocalNumberAreaCode === undefined || LocalNumberAreaCode === '') return;
  const errors = fieldErrors(areaCodeForm, { LocalNumberAreaCode });
  if (errors.LocalNumberAreaCode !== undefined)
    throw refuseField('LocalNumberAreaCode', errors.LocalNumberAreaCode);
  await saveActivation(trx, actor.accountId, { area_code: LocalNumberAreaCode });
}

async function saveDone({ trx, actor, progress, body }: Saving): Promise<void> {
  if (!body.Completed) return;
  const open = currentOnboardingStep(progress.steps.filter(({ Name }) => Name !== 'done'));
  if (open !== undefined)
    throw new Refusal('refused', 'Complete the other steps first.', { extendedData: { Step: open } });
  await fillInUser(trx, actor, { isOnboarded: true });
}

async function saveActivation(
  trx: Trx,
  accountId: number,
  columns: Partial<Record<ActivationColumn, string>>,
): Promise<void> {
  await trx
    .insertInto('activations')
    .values({ account_id: accountId, ...columns })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(columns))
    .execute();
}

type ActivationColumn =
  | 'how_they_heard'
  | 'industry'
  | 'phone'
  | 'address_line1'
  | 'address_line2'
  | 'city'
  | 'postal_code'
  | 'lawson_number'
  | 'amazon_email'
  | 'blanket_po'
  | 'use_case'
  | 'area_code';

async function completeStep(trx: Trx, actor: Actor, step: OnboardingStep): Promise<void> {
  await trx
    .insertInto('onboarding_steps')
    .values({ account_id: actor.accountId, user_id: actor.userId, step })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function reopenStep(trx: Trx, actor: Actor, step: OnboardingStep): Promise<void> {
  await trx
    .deleteFrom('onboarding_steps')
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .where('step', '=', step)
    .execute();
}
