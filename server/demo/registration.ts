import { sql } from 'kysely';
import { createAccount } from '../accounts/create-account.ts';
import { moveCredits } from '../billing/move-credits.ts';
import type { Trx } from '../db.ts';
import { keepLivePhone } from '../numbers/keep-live-phone.ts';
import { libraryNumbers } from './demo-numbers.ts';

/**
 * A public library with a number, partway through its registration: some fields are filled in, the texts are
 * not described yet.
 */
export async function loadLibrary(trx: Trx, passwordHash: string): Promise<void> {
  const { account_id: accountId, user_id: ownerId } = await createAccount(trx, {
    companyName: 'Maple Grove Public Library',
    timeZone: 'America/New_York',
    owner: {
      firstName: 'Helen',
      lastName: 'Okafor',
      email: 'helen@maplegrove.example',
      userName: 'library-owner',
      passwordHash,
    },
  });
  await trx
    .updateTable('accounts')
    .set({ state: 'TN', features: ['ConversationDateRangeSearch', 'RegistrationProgressStepper'] })
    .where('account_id', '=', accountId)
    .execute();
  await trx.updateTable('users').set({ phone: '16155550161' }).where('user_id', '=', ownerId).execute();
  await moveCredits(trx, [{ accountId, kind: 'grant', credits: 250, note: 'Demo credits' }]);
  const numbers = await trx
    .insertInto('text_numbers')
    .values(libraryNumbers.map((number) => ({ ...number, account_id: accountId })))
    .returning('text_number_id')
    .execute();
  for (const { text_number_id } of numbers) await keepLivePhone(trx, accountId, text_number_id);
  const form = {
    Country: 'United States',
    Ein: '62-1998877',
    EntityType: 'GOVERNMENT',
    CompanyName: 'Maple Grove Public Library',
    DisplayName: 'Maple Grove Library',
    Vertical: 'EDUCATION',
    Street: '25 Library Lane',
    City: 'Maple Grove',
    State: 'TN',
    PostalCode: '37064',
    Email: 'helen@maplegrove.example',
    PhoneNumber: '(615) 555-0161',
    BrandWebsite: 'https://www.maplegrove.example',
  };
  await sql`
    insert into registration_drafts (account_id, form, route, texts_to_canada, saved_at)
    values (${accountId}, ${JSON.stringify(form)}::jsonb, 'message-details', false, now() - interval '2 hours')`.execute(
    trx,
  );
}

/** The school’s registration, which its new numbers join. The sandbox has the campaign under this id. */
export async function registerSchools(trx: Trx, accountId: number, ownerId: number): Promise<void> {
  const brand = {
    Country: 'United States',
    Ein: '62-1047793',
    EntityType: 'GOVERNMENT',
    CompanyName: 'Harlow Creek School District',
    DisplayName: 'Harlow Creek Schools',
    Vertical: 'EDUCATION',
    StockSymbol: '',
    StockExchange: '',
    Street: '410 Mill Street',
    City: 'Harlow Creek',
    State: 'TN',
    PostalCode: '37343',
    Email: 'dana@harlowcreek.example',
    PhoneNumber: '14235550100',
    Website: 'https://www.hcsd.example',
    BusinessContactEmail: '',
    FirstName: 'Dana',
    LastName: 'Whitfield',
  };
  const campaign = {
    IsPromotionalRegistration: false,
    ConsentType: 'Written',
    MessageFlow: '',
    Description: 'Harlow Creek Schools texts parents and staff about closings, buses and events.',
    Sample1: 'Harlow Creek Schools: all schools close at noon today because of snow. Reply STOP to opt out.',
    Sample2: 'Harlow Creek Schools: picture day is on Thursday. Reply STOP to opt out.',
    PrivacyPolicyUserSelection: 'Not Yet',
    PrivacyPolicyUrl: '',
  };
  const made = {
    brandId: 'a0c63335-f841-4d43-9ef8-e0765a233f29',
    campaignId: '4d3601ed-c632-4979-ae22-43854ef4ffaf',
  };
  await sql`
    insert into registration_requests (account_id, user_id, kind, aggregator_id, status, brand, campaign, reference, made,
      submitted_at, updated_at)
    values (${accountId}, ${ownerId}, 'Local', 5, 'Complete', ${JSON.stringify(brand)}::jsonb,
      ${JSON.stringify(campaign)}::jsonb, ${'muster-5c0015c0015c0015c0015c00'}, ${JSON.stringify(made)}::jsonb,
      now() - interval '60 days', now() - interval '59 days')`.execute(trx);
}
