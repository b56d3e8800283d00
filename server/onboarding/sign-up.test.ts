import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { getAccount, getUser, updateUser } from '../../contract/accounts.ts';
import { getSetup, login } from '../../contract/auth.ts';
import { listInvoiceAddresses } from '../../contract/invoices.ts';
import {
  getInstallation,
  getOnboarding,
  getOnboardingStep,
  getPrivacy,
  getTerms,
  resendVerification,
  signUp,
  updateOnboardingStep,
  verifyEmail,
} from '../../contract/onboarding.ts';
import { industryOf } from '../../contract/reference/industries.ts';
import { getRegistrationDraft, getUnregisteredNumber } from '../../contract/registration.ts';
import { currentOnboardingStep, visibleOnboardingSteps } from '../../contract/states/onboarding-steps.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../testing/builders.ts';
import { refusalOf, type TestApp, type TestReply, testApp } from '../testing/test-app.ts';

let app: TestApp;
let first: BuiltAccount;

beforeAll(async () => {
  app = await testApp({}, { CODE_NUMBER: '+14235550191', ONBOARDING_REDIRECT: '/home?welcome=1' });
  expect((await app.call(getSetup, {})).body).toEqual({ NeedsOrganization: true, CanSignUp: false });
  expect(refusalOf(await app.call(signUp, { body: person('early@example.org') })).status).toBe(422);
  first = await buildAccount(app);
});

const Password = 'a-good-horse-7';
const person = (Email: string) => ({
  CompanyName: 'Maple Street Club',
  FirstName: 'Ana',
  LastName: 'Ruiz',
  Email,
  Password,
});
const cookieOf = (reply: TestReply<unknown>) => (reply.headers.get('set-cookie') ?? '').split(';')[0] ?? '';

async function lastMail(to: string, count = 1): Promise<string> {
  const mails = await app.until(async () => {
    const came = await app.sandbox.mails(to);
    return came.length >= count && came;
  });
  return mails.at(-1)?.Text ?? '';
}
const tokenIn = (text: string) => /verify-email\?token=([\w-]+)/.exec(text)?.[1] ?? '';

/** Signs up, and signs in with the name in the mail. */
async function join(email: string): Promise<{ cookie: string; token: string }> {
  expect(await app.call(signUp, { body: person(email) })).toMatchObject({
    status: 200,
    body: { Email: email },
  });
  const text = await lastMail(email);
  const UserName = /Your username is (\S+)\. /.exec(text)?.[1] ?? '';
  const signedIn = await app.call(login, { body: { UserName, Password } });
  expect(signedIn.status).toBe(200);
  return { cookie: cookieOf(signedIn), token: tokenIn(text) };
}

describe('sign-up', () => {
  it('creates a free trial with credits and an owner who still has to verify and agree', async () => {
    const me = await join('ana@maple.example');
    const { body } = await app.call(getAccount, { query: { include: 'currentuser' } }, me);
    expect(body).toMatchObject({ CompanyName: 'Maple Street Club', IsFreeTrial: true, CallBalance: 25 });
    expect(body.CurrentUser).toMatchObject({
      UserName: 'ana@maple.example',
      IsMasterUser: true,
      AgreedToTermsOfUse: false,
      NeedsEmailVerification: true,
      NeedsOnboarding: true,
    });
  });

  it('gives the same reply for a known email, and mails its owner', async () => {
    const reply = await app.call(signUp, { body: person('Ana@Maple.example') });
    expect(reply).toMatchObject({ status: 200, body: { Email: 'Ana@Maple.example' } });
    const text = await lastMail('ana@maple.example', 2);
    expect(text).toContain('your username is ana@maple.example');
    const { rows } = await sql`select from users where lower(email) = 'ana@maple.example'`.execute(
      app.database.system,
    );
    expect(rows).toHaveLength(1);
  });

  it('uses the language of the sign-up page, and later the one that the user chooses', async () => {
    const headers = { 'accept-language': 'es-MX,es;q=0.9,en;q=0.8' };
    expect((await app.call(signUp, { body: person('eva@maple.example') }, { headers })).status).toBe(200);
    const text = await lastMail('eva@maple.example');
    expect(text).toContain('Hola, Ana: le damos la bienvenida a Muster.');
    const UserName = /Su nombre de usuario es (\S+)\. /.exec(text)?.[1] ?? '';
    const me = { cookie: cookieOf(await app.call(login, { body: { UserName, Password } })) };
    expect((await app.call(getUser, {}, me)).body.LanguageID).toBe(2);
    await app.call(resendVerification, { body: {} }, me);
    expect(await lastMail('eva@maple.example', 2)).toContain('Hola, Ana: abra el enlace');
    const changed = await app.call(updateUser, { body: { LanguageID: 1 } }, me);
    expect(changed.body.LanguageID).toBe(1);
    await app.call(resendVerification, { body: {} }, me);
    expect(await lastMail('eva@maple.example', 3)).toContain('Hello Ana, open the link');
    const unknown = await app.call(updateUser, { body: { LanguageID: 3 as 2 } }, me);
    expect(refusalOf(unknown).status).toBe(400);
  });

  it('gives another name when the requested one is taken, without revealing it', async () => {
    const body = { ...person('bo@maple.example'), UserName: first.owner.userName };
    expect((await app.call(signUp, { body })).status).toBe(200);
    expect(await lastMail('bo@maple.example')).toContain(`Your username is ${first.owner.userName}-2.`);
  });

  it('two at once with one email create one account', async () => {
    const replies = await Promise.all(
      [1, 2].map(() => app.call(signUp, { body: person('two@maple.example') })),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const { rows } = await sql`select from users where email = 'two@maple.example'`.execute(
      app.database.system,
    );
    expect(rows).toHaveLength(1);
  });

  it('refuses invalid values at their field, and more than five an hour for an email', async () => {
    const wrong = await app.call(signUp, {
      body: { ...person('x'), CompanyName: '', Password: 'password1' },
    });
    expect(refusalOf(wrong).Errors).toEqual([
      { Field: 'CompanyName', Message: 'Enter an Account Name' },
      { Field: 'Email', Message: 'Use a valid Email' },
    ]);
    const common = await app.call(signUp, { body: { ...person('c@maple.example'), Password: 'password1' } });
    expect(refusalOf(common).Errors?.[0]?.Field).toBe('Password');
    const own = { ...person('own1@maple.example'), Password: 'Own1@maple.example' };
    expect(refusalOf(await app.call(signUp, { body: own })).Errors).toEqual([
      { Field: 'Password', Message: 'Password must not be your email' },
    ]);
    const statuses: number[] = [];
    for (let time = 0; time < 6; time += 1)
      statuses.push((await app.call(signUp, { body: person('many@maple.example') })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

describe('the email', () => {
  it('is verified once by its link; a second time and after a week it says what to do', async () => {
    const me = await join('link@maple.example');
    const verified = await app.call(verifyEmail, { body: { Token: me.token } });
    expect(verified).toMatchObject({ status: 200, body: { Email: 'link@maple.example' } });
    expect((await app.call(getUser, {}, me)).body.NeedsEmailVerification).toBe(false);
    expect(refusalOf(await app.call(verifyEmail, { body: { Token: me.token } })).Message).toBe(
      'This link was used already. Your email is verified: sign in.',
    );
    expect(refusalOf(await app.call(resendVerification, { body: {} }, me)).Message).toBe(
      'Your email is verified already.',
    );
    const late = await join('late@maple.example');
    await sql`update user_tokens set expires_at = now() where email = 'late@maple.example'`.execute(
      app.database.system,
    );
    expect(refusalOf(await app.call(verifyEmail, { body: { Token: late.token } })).Message).toBe(
      'This link has expired. Sign in, and we’ll send you a new one.',
    );
  });

  it('that bounces is shown with the mail server’s words, until another address is given', async () => {
    const me = await join('good@maple.example');
    const problem = async () => (await app.call(getOnboarding, {}, me)).body.EmailProblem;
    expect(await problem()).toBe('');
    await app.call(resendVerification, { body: { Email: 'nobody@example.org' } }, me);
    await app.drain();
    expect(await problem()).toMatch(/No such mailbox/);
    const step = await app.call(getOnboardingStep, { params: { Step: 'verifyEmail' } }, me);
    expect(step.body).toMatchObject({ Email: 'nobody@example.org', Completed: false });
    expect(step.body.EmailProblem).toMatch(/No such mailbox/);
    await app.call(resendVerification, { body: { Email: 'better@maple.example' } }, me);
    const Token = tokenIn(await lastMail('better@maple.example'));
    expect(await problem()).toBe('');
    expect((await app.call(verifyEmail, { body: { Token } })).status).toBe(200);
  });

  it('can be corrected; the link to the old address then verifies nothing', async () => {
    const me = await join('wrng@maple.example');
    const bad = await app.call(resendVerification, { body: { Email: 'no address' } }, me);
    expect(refusalOf(bad).Errors).toEqual([{ Field: 'Email', Message: 'Use a valid Email' }]);
    const sent = await app.call(resendVerification, { body: { Email: 'right@maple.example' } }, me);
    expect(sent.body).toEqual({ Email: 'right@maple.example' });
    const Token = tokenIn(await lastMail('right@maple.example'));
    expect((await app.call(verifyEmail, { body: { Token: me.token } })).status).toBe(422);
    expect((await app.call(verifyEmail, { body: { Token } })).status).toBe(200);
  });
});

const company = {
  CompanyName: 'Maple Street Club',
  Industry: 'EDUCATION',
  Phone: '(423) 555-0143',
  State: 'TN',
  InvoiceBillingAddress: {
    Line1: '410 Mill Street',
    City: 'Harlow Creek',
    StateOrProvince: 'TN',
    PostalCode: '37341',
  },
};

describe('onboarding', () => {
  it('goes through its steps in order, saves the answers, and ends', async () => {
    const me = await join('steps@maple.example');
    const progress = async () => (await app.call(getOnboarding, {}, me)).body;
    const put = (Step: string, body: object) =>
      app.call(updateOnboardingStep, { params: { Step: Step as 'terms' }, body }, me);
    const current = async () => currentOnboardingStep((await progress()).Steps);
    const before = await progress();
    expect(before.Steps.map(({ Name }) => Name)).toEqual([
      ...[
        'welcome',
        'terms',
        'location',
        'company',
        'useCase',
        'verifyEmail',
        'mfa',
        'addLocalNumber',
        'done',
      ],
    ]);
    expect(before).toMatchObject({
      RedirectUrl: '/onboarding',
      CollectInvoiceBillingAddress: true,
      CollectAmazonInfo: false,
      Email: 'steps@maple.example',
    });
    // The use case replaces the verification until it is submitted.
    expect(visibleOnboardingSteps(before.Steps).map(({ Name }) => Name)).not.toContain('verifyEmail');

    expect((await put('WELCOME', { Completed: true })).body).toEqual({ Name: 'welcome', Completed: true });
    expect(await current()).toBe('terms');
    const stale = await put('terms', { Completed: true, TermsVersion: 'of last year' });
    expect(refusalOf(stale).status).toBe(409);
    const { body: terms } = await app.call(getTerms, {});
    // Without a policy elsewhere there is one here.
    expect(terms.PrivacyUrl).toBe('/privacy');
    expect((await app.call(getPrivacy, {})).body.Text).toContain('phone numbers');
    expect((await put('terms', { TermsVersion: terms.Version })).body.Completed).toBe(true);
    expect((await app.call(getUser, {}, me)).body).toMatchObject({
      AgreedToTermsOfUse: true,
      IsTermsOfUseCurrent: true,
    });

    expect(refusalOf(await put('location', { CountryID: 99 })).Errors?.[0]?.Field).toBe('CountryID');
    expect(refusalOf(await put('location', { LanguageID: 7 as 1 })).Errors?.[0]?.Field).toBe('LanguageID');
    const place = { CountryID: 1, LanguageID: 1, TimeZoneOffset: -1, ObservesDayLightSavings: false };
    expect((await put('LOCATION', place)).body).toMatchObject({ ...place, TimeZone: 'America/Phoenix' });

    const wrong = await put('company', { ...company, CompanyName: '', Phone: '12', State: 'XX' });
    expect(refusalOf(wrong).Errors).toEqual([
      { Field: 'CompanyName', Message: 'Enter an Account Name' },
      { Field: 'Phone', Message: 'Must be 10 digits; use only numbers' },
      { Field: 'State', Message: 'Not a valid state' },
    ]);
    expect(await current()).toBe('company');
    const saved = await put('company', company);
    expect(saved.body).toMatchObject({
      Completed: true,
      Address3: '410 Mill Street',
      PostalCode: '37341',
      Phone: '4235550143',
      CollectInvoiceBillingAddress: true,
    });
    expect(refusalOf(await put('useCase', { UseCase: 'nonsense' })).Errors?.[0]?.Field).toBe('UseCase');
    expect((await put('USE_CASE', { UseCase: 'EVENTS' })).body.UseCase).toBe('EVENTS');

    expect(refusalOf(await put('VERIFY', { Completed: true })).Message).toBe(
      'Open the link in the email that we sent you first.',
    );
    expect(refusalOf(await put('done', { Completed: true })).ExtendedData).toEqual({ Step: 'verifyEmail' });
    await app.call(verifyEmail, { body: { Token: me.token } });
    expect(await current()).toBe('mfa');
    // It can be done later.
    await put('mfa', { Completed: true });
    expect(refusalOf(await put('ADD_LOCAL_NUMBER', { LocalNumberAreaCode: '42' })).Message).toBe(
      'Enter a 3 digit area code',
    );
    // The number comes between the area code and the end of the step.
    await put('addLocalNumber', { Completed: false, LocalNumberAreaCode: '423' });
    const got = await app.call(getUnregisteredNumber, { body: { AreaCode: '423' } }, me);
    expect(got.body.phoneNumber).toMatch(/^423/);
    expect(await current()).toBe('addLocalNumber');
    // With a number the country stays.
    expect(refusalOf(await put('location', { CountryID: 5 })).Errors?.[0]?.Field).toBe('CountryID');
    const { rows } = await sql<{ changes: object }>`
      select changes from events where kind = 'onboarding.updated' and changes->>'Step' = 'useCase'
        and user_id = ${(await app.call(getUser, {}, me)).body.UserID}`.execute(app.database.system);
    expect(rows).toEqual([{ changes: { Step: 'useCase', UseCase: ['', 'EVENTS'] } }]);
    expect((await put('addLocalNumber', { LocalNumberAreaCode: '423' })).body).toMatchObject({
      Completed: true,
      LocalNumberAreaCode: '423',
    });
    expect((await put('done', { Completed: true })).body.Completed).toBe(true);
    expect(await progress()).toMatchObject({
      RedirectUrl: '/home?welcome=1',
      Activation: { CompanyName: 'Maple Street Club', Phone: '4235550143', Address3: '410 Mill Street' },
    });
    expect((await app.call(getUser, {}, me)).body).toMatchObject({ NeedsOnboarding: false });
    const { body: account } = await app.call(getAccount, {}, me);
    expect(account).toMatchObject({ State: 'TN', CountryID: 1 });
    expect(industryOf(account.IndustryID ?? 0)).toBe('EDUCATION');
  });

  it('asks once: invoices use the address, and the registration starts with the answers', async () => {
    const me = await join('once@maple.example');
    const put = (body: object) =>
      app.call(updateOnboardingStep, { params: { Step: 'company' }, body: { ...company, ...body } }, me);
    expect((await put({})).status).toBe(200);
    // The user goes back and corrects it.
    const CompanyName = 'A club with a name as long as is allowed!';
    const InvoiceBillingAddress = { ...company.InvoiceBillingAddress, Line1: '12 Mill Street' };
    expect((await put({ CompanyName, InvoiceBillingAddress })).status).toBe(200);
    const { body: account } = await app.call(getAccount, {}, me);
    // Longer than a sender name may be: texts begin with the organization’s name until it has one.
    expect(account).toMatchObject({ CompanyName, SenderName: '' });
    const params = { AccountID: account.AccountID };
    const { body: addresses } = await app.call(listInvoiceAddresses, { params }, me);
    expect(addresses.Items).toEqual([
      expect.objectContaining({
        ...{ IsDefault: true, Address1: CompanyName, Address3: '12 Mill Street', Address4: '' },
        ...{ City: 'Harlow Creek', State: 'TN', PostalCode: '37341' },
      }),
    ]);
    const { body: draft } = await app.call(getRegistrationDraft, {}, me);
    expect(draft.Form).toMatchObject({
      ...{ Country: 'United States', CompanyName, Vertical: 'EDUCATION', Street: '12 Mill Street' },
      ...{ City: 'Harlow Creek', State: 'TN', PostalCode: '37341', Ein: '' },
    });
  });

  it('skips the number if none is available', async () => {
    const me = await join('abroad@maple.example');
    await app.call(updateOnboardingStep, { params: { Step: 'location' }, body: { CountryID: 5 } }, me);
    const { body } = await app.call(getOnboarding, {}, me);
    expect(body.Steps.map(({ Name }) => Name)).not.toContain('addLocalNumber');
    const step = await app.call(getOnboardingStep, { params: { Step: 'addLocalNumber' } }, me);
    expect(step.status).toBe(404);
  });

  it('asks for the fields that the account requires, with their own rules', async () => {
    const me = await join('collects@maple.example');
    await sql`update accounts set onboarding_collects = '{AmazonInfo,OnboardingRepublicInfo,PO}'
      where account_id = (select account_id from users where email = 'collects@maple.example')`.execute(
      app.database.system,
    );
    const { InvoiceBillingAddress, ...others } = company;
    const put = (body: object) =>
      app.call(updateOnboardingStep, { params: { Step: 'company' }, body: { ...others, ...body } }, me);
    const wrong = await put({ AmazonEmail: 'x', LawsonNumber: '12345', BlanketPO: 'x'.repeat(26) });
    expect(refusalOf(wrong).Errors?.map(({ Field }) => Field)).toEqual([
      'LawsonNumber',
      'AmazonEmail',
      'BlanketPO',
    ]);
    const right = await put({ AmazonEmail: 'a@maple.example', LawsonNumber: '1234', BlanketPO: 'PO-7' });
    expect(right.body).toMatchObject({ LawsonNumber: '1234', CollectPO: true, Address3: '' });
  });

  it('is only the terms for everybody else', async () => {
    const { body } = await app.call(getOnboarding, {}, first.owner);
    expect(body.Steps).toEqual([{ Name: 'terms', Completed: false }]);
    const step = await app.call(getOnboardingStep, { params: { Step: 'company' } }, first.owner);
    expect(step.status).toBe(404);
    const colleague = await buildUser(app, first.accountId, 'user');
    await app.call(updateOnboardingStep, { params: { Step: 'TERMS' }, body: {} }, colleague);
    expect((await app.call(getOnboarding, {}, colleague)).body.RedirectUrl).toBe('/home?welcome=1');
  });

  it('asks for the terms again when they have changed', async () => {
    const me = await buildUser(app, first.accountId, 'user');
    await app.call(updateOnboardingStep, { params: { Step: 'terms' }, body: {} }, me);
    await sql`update users set terms_version = 'of last year' where user_id = ${me.userId}`.execute(
      app.database.system,
    );
    expect((await app.call(getUser, {}, me)).body).toMatchObject({
      AgreedToTermsOfUse: true,
      IsTermsOfUseCurrent: false,
    });
    expect((await app.call(getOnboarding, {}, me)).body.RedirectUrl).toBe('/onboarding');
  });
});

describe('an installation', () => {
  it('with closed sign-up refuses it with a message, and shows how to contact the operator', async () => {
    const closed = await testApp(
      {},
      { SIGNUP: '0', SUPPORT_EMAIL: 'help@example.org', HELP_CHAT_URL: 'https://chat.example.org/w.js' },
    );
    await buildAccount(closed);
    expect((await closed.call(getSetup, {})).body).toEqual({ NeedsOrganization: false, CanSignUp: false });
    expect(refusalOf(await closed.call(signUp, { body: person('no@example.org') })).status).toBe(422);
    const { body, headers } = await closed.call(getInstallation, {});
    expect(body).toMatchObject({
      CanSignUp: false,
      SupportEmail: 'help@example.org',
      HelpChat: { ScriptUrl: 'https://chat.example.org/w.js' },
    });
    expect(headers.get('content-security-policy')).toContain("script-src 'self' https://chat.example.org");
    const { headers: plain } = await app.call(getInstallation, {});
    expect(plain.get('content-security-policy')).not.toContain('chat.example.org');
  });
});
