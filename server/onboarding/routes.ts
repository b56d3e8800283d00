import * as calls from '../../contract/onboarding.ts';
import { wirePhone } from '../../contract/phone/normalize-phone.ts';
import { listVerifiedPhones } from '../accounts/fill-in.ts';
import { currentTerms, privacyText } from '../accounts/read-terms.ts';
import { isSignUpOpen } from '../config.ts';
import { createPhoneLookup } from '../outside/phone-lookup.ts';
import { samplesFor } from '../sample-texts.ts';
import { type App, serve, serveOutside, servePublic } from '../serve.ts';
import { getOnboarding, getOnboardingStep } from './get-onboarding.ts';
import { canTextCodes, sendMfa, verifyMfa } from './send-mfa.ts';
import { sendSampleText } from './send-sample-text.ts';
import { signUp } from './sign-up.ts';
import { updateOnboardingStep } from './update-step.ts';
import { resendVerification, verifyEmail } from './verify-email.ts';

export function onboardingRoutes(app: App): void {
  const { config } = app;
  // Read at the start: an unreadable file stops it with a message.
  const { version, text } = currentTerms(config);
  const privacy = privacyText(config);
  const privacyUrl = config.PRIVACY_URL ?? '/privacy';
  // Each look-up costs money unless it is the sandbox's.
  const provider = config.LOOKUPS ? createPhoneLookup(config) : undefined;

  servePublic(app, calls.signUp, (visitor, input) => signUp(visitor, config, input));
  servePublic(app, calls.verifyEmail, verifyEmail);
  serveOutside(app, calls.resendVerification, resendVerification);

  servePublic(app, calls.getInstallation, async () => ({
    CanSignUp: isSignUpOpen(config),
    SupportPhone: config.SUPPORT_PHONE,
    SupportEmail: config.SUPPORT_EMAIL,
    InfoEmail: config.INFO_EMAIL,
    InternationalEmail: config.INTERNATIONAL_EMAIL,
    PrivacyUrl: privacyUrl,
    LabsUrl: config.LABS_URL ?? '',
    HelpChat:
      config.HELP_CHAT_URL === undefined
        ? null
        : { ScriptUrl: config.HELP_CHAT_URL, Host: new URL(config.PUBLIC_URL).host },
  }));
  servePublic(app, calls.getTerms, async () => ({
    Version: version,
    Text: text,
    PrivacyUrl: privacyUrl,
  }));
  servePublic(app, calls.getPrivacy, async () => ({ Text: privacy }));

  serve(app, calls.getOnboarding, (trx, actor) => getOnboarding(trx, actor, config));
  serve(app, calls.getOnboardingStep, (trx, actor, input) => getOnboardingStep(trx, actor, config, input));
  serve(app, calls.updateOnboardingStep, (trx, actor, input) =>
    updateOnboardingStep(trx, actor, config, input),
  );

  serveOutside(app, calls.sendMfa, (_app, actor, input) => sendMfa(app, actor, input, provider));
  serveOutside(app, calls.verifyMfa, verifyMfa);

  serveOutside(app, calls.sendSampleText, sendSampleText);

  serve(app, calls.getPlatformFreeTrial, async (trx, actor) => {
    const { company_name } = await trx
      .selectFrom('accounts')
      .select('company_name')
      .where('account_id', '=', actor.accountId)
      .executeTakeFirstOrThrow();
    const phones = await listVerifiedPhones(trx, actor.accountId);
    return {
      isFreeTrial: actor.account.IsFreeTrial,
      mfaPhoneNumbers: phones.map((phone) => wirePhone(phone, actor.account.CountryID)),
      cannedPftMessages: samplesFor(company_name, actor.languageId),
      canVerify: canTextCodes(config),
    };
  });
}
