import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import { registrationFormFields } from '../../contract/forms/registration/registration-form.ts';
import type { RegistrationRoute } from '../../contract/forms/registration/registration-steps.ts';
import type { saveRegistrationDraft as definition } from '../../contract/registration.ts';
import { may } from '../access/refuse-unless.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';
import { findCurrent, hasInfobipNumbers } from './queries.ts';
import { productPrivacyHost } from './submit-registration.ts';

/** More than all fields at their maximum length. */
const mostBytes = 50_000;

/** The wizard's saved input, for users who return to it. */
export async function getDraft(trx: Trx, actor: Actor, publicUrl: string) {
  const row = await trx
    .selectFrom('registration_drafts')
    .selectAll()
    .where('account_id', '=', actor.accountId)
    .executeTakeFirst();
  const form = registrationFormFields.safeParse(row?.form ?? (await readAnswers(trx, actor)));
  return {
    Form: form.success ? form.data : registrationFormFields.parse({}),
    Route: (row?.route ?? null) as RegistrationRoute | null,
    TextsToCanada: row?.texts_to_canada ?? null,
    WantsTollFree: row?.wants_toll_free ?? false,
    SavedAt: row?.saved_at?.toISOString() ?? null,
    HasInfobipNumbers: await hasInfobipNumbers(trx, actor.accountId),
    ProductPrivacyHost: productPrivacyHost(publicUrl),
    CanRegisterPromotional: may(actor, 'registerPromotional'),
    RefusedCampaign: await findRefusedCampaign(trx, actor.accountId),
  };
}

async function findRefusedCampaign(trx: Trx, accountId: number) {
  const last = await findCurrent(trx, accountId, 'Local');
  if (last?.status !== 'Failed') return null;
  const { ConsentType, Description, Sample1, Sample2 } = last.campaign;
  return { ConsentType, Description, Sample1, Sample2 };
}

/** The organization's answers at sign-up: nobody types them twice. */
async function readAnswers(trx: Trx, actor: Actor) {
  const { rows } = await sql<Record<string, string>>`
    select case a.country_id when 2 then 'Canada' else 'United States' end as "Country",
      a.company_name as "CompanyName", coalesce(o.industry, '') as "Vertical",
      concat_ws(', ', nullif(o.address_line1, ''), nullif(o.address_line2, '')) as "Street",
      coalesce(o.city, '') as "City", a.state as "State", coalesce(o.postal_code, '') as "PostalCode"
    from activations o join accounts a on a.account_id = o.account_id
    where o.account_id = ${actor.accountId} and a.country_id <= 2`.execute(trx);
  return rows[0] ?? {};
}

export async function saveDraft(trx: Trx, actor: Actor, { body }: Input<typeof definition>) {
  const form = JSON.stringify(body.Form);
  if (Buffer.byteLength(form) > mostBytes) throw new Refusal('tooLarge');
  const { rows } = await sql<{ saved_at: Date }>`
    insert into registration_drafts (account_id, form, route, texts_to_canada, wants_toll_free, saved_at)
    values (${actor.accountId}, ${form}::jsonb, ${body.Route}, ${body.TextsToCanada}, ${body.WantsTollFree}, now())
    on conflict (account_id) do update set form = excluded.form, route = excluded.route,
      texts_to_canada = excluded.texts_to_canada, wants_toll_free = excluded.wants_toll_free, saved_at = now()
    returning saved_at`.execute(trx);
  return { SavedAt: (rows[0]?.saved_at ?? new Date(0)).toISOString() };
}
