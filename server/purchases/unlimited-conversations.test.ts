import { sql } from 'kysely';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { createCharge } from '../../contract/purchases.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { consent, openTill } from './testing/pay.ts';

let app: TestApp;
const { withCard, putBack } = openTill(() => app);

beforeAll(async () => {
  app = await testApp({ '14235550100': 'infobip' }, { SALES_TAX: 'stripe' });
});
afterEach(putBack);

it.each([
  ['18335550143', 'Not Registered', 1],
  ['18445550143', 'Pending', 1],
  ['18555550143', 'Not Registered', 2],
])('enables unlimited conversations of %s, which is %s, in country %i', async (phone, status, country) => {
  const account = await withCard('pm_card_visa', { numbers: { [phone]: 'infobip' } });
  const TextNumberID = account.numbers[phone] ?? 0;
  await sql`update text_numbers set registration_status = ${status} where text_number_id = ${TextNumberID}`.execute(
    app.database.system,
  );
  await sql`update accounts set country_id = ${country} where account_id = ${account.accountId}`.execute(
    app.database.system,
  );
  const body = { ChargeType: 'AddFlatRate' as const, TextNumberID, ConsentText: consent };
  expect((await app.call(createCharge, { body }, account.owner)).body).toMatchObject({ Status: 'Paid' });
});

it.each([
  ['14235550111', 1],
  ['14235550112', 2],
])('refuses them for %s, which has to be registered first, in country %i', async (phone, country) => {
  const account = await withCard('pm_card_visa', { numbers: { [phone]: 'infobip' } });
  const TextNumberID = account.numbers[phone] ?? 0;
  await sql`update text_numbers set registration_status = 'Not Registered' where text_number_id = ${TextNumberID}`.execute(
    app.database.system,
  );
  await sql`update accounts set country_id = ${country} where account_id = ${account.accountId}`.execute(
    app.database.system,
  );
  const body = { ChargeType: 'AddFlatRate' as const, TextNumberID, ConsentText: consent };
  expect(refusalOf(await app.call(createCharge, { body }, account.owner)).Message).toBe(
    'Register this number before you enable unlimited conversations.',
  );
});
