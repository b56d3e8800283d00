// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['onboarding'];

export const signUp = {"method":"POST","path":"/signup","allow":"public"} as unknown as Calls['signUp'];
export const verifyEmail = {"method":"POST","path":"/verify-email","allow":"public"} as unknown as Calls['verifyEmail'];
export const resendVerification = {"method":"POST","path":"/user/verification-email","allow":"editOwnProfile"} as unknown as Calls['resendVerification'];
export const getInstallation = {"method":"GET","path":"/installation","allow":"public"} as unknown as Calls['getInstallation'];
export const getTerms = {"method":"GET","path":"/terms","allow":"public"} as unknown as Calls['getTerms'];
export const getPrivacy = {"method":"GET","path":"/privacy","allow":"public"} as unknown as Calls['getPrivacy'];
export const getOnboarding = {"method":"GET","path":"/user/onboardingprogress","allow":"editOwnProfile"} as unknown as Calls['getOnboarding'];
export const getOnboardingStep = {"method":"GET","path":"/user/onboardingprogress/:Step","allow":"editOwnProfile"} as unknown as Calls['getOnboardingStep'];
export const updateOnboardingStep = {"method":"PUT","path":"/user/onboardingprogress/:Step","allow":"editOwnProfile"} as unknown as Calls['updateOnboardingStep'];
export const sendMfa = {"method":"POST","path":"/user/sendmfa","allow":"editOwnProfile"} as unknown as Calls['sendMfa'];
export const verifyMfa = {"method":"POST","path":"/user/verifymfa/:Code","allow":"editOwnProfile"} as unknown as Calls['verifyMfa'];
export const getPlatformFreeTrial = {"method":"GET","path":"/aws/capabilities/account/platformfreetrial","allow":"useMuster"} as unknown as Calls['getPlatformFreeTrial'];
export const sendSampleText = {"method":"POST","path":"/aws/capabilities/account/platformfreetrial/messages","allow":"useMuster"} as unknown as Calls['sendSampleText'];
