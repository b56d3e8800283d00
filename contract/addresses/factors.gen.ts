// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['factors'];

export const finishSignIn = {"method":"POST","path":"/login/secondfactor","allow":"public"} as unknown as Calls['finishSignIn'];
export const listSecondFactors = {"method":"GET","path":"/user/secondfactors","allow":"editOwnProfile"} as unknown as Calls['listSecondFactors'];
export const beginTotp = {"method":"POST","path":"/user/secondfactors/totp","allow":"editOwnProfile"} as unknown as Calls['beginTotp'];
export const activateTotp = {"method":"POST","path":"/user/secondfactors/totp/activate","allow":"editOwnProfile"} as unknown as Calls['activateTotp'];
export const removeTotp = {"method":"DELETE","path":"/user/secondfactors/totp","allow":"editOwnProfile"} as unknown as Calls['removeTotp'];
export const beginPasskey = {"method":"POST","path":"/user/secondfactors/passkeys/options","allow":"editOwnProfile"} as unknown as Calls['beginPasskey'];
export const addPasskey = {"method":"POST","path":"/user/secondfactors/passkeys","allow":"editOwnProfile"} as unknown as Calls['addPasskey'];
export const removePasskey = {"method":"DELETE","path":"/user/secondfactors/passkeys/:PasskeyID","allow":"editOwnProfile"} as unknown as Calls['removePasskey'];
export const createRecoveryCodes = {"method":"POST","path":"/user/secondfactors/recoverycodes","allow":"editOwnProfile"} as unknown as Calls['createRecoveryCodes'];
export const askConfirmation = {"method":"POST","path":"/user/confirmation/options","allow":"editOwnProfile"} as unknown as Calls['askConfirmation'];
export const confirmIdentity = {"method":"POST","path":"/user/confirmation","allow":"editOwnProfile"} as unknown as Calls['confirmIdentity'];
export const getAccountSecurity = {"method":"GET","path":"/account/security","allow":"manageSecurity"} as unknown as Calls['getAccountSecurity'];
export const updateAccountSecurity = {"method":"PUT","path":"/account/security","allow":"manageSecurity"} as unknown as Calls['updateAccountSecurity'];
export const resetSecondFactors = {"method":"DELETE","path":"/account/users/:UserID/secondfactors","allow":"manageUsers"} as unknown as Calls['resetSecondFactors'];
