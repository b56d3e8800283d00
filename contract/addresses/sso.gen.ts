// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['sso'];

export const startSso = {"method":"POST","path":"/sso/start","allow":"public"} as unknown as Calls['startSso'];
export const finishSso = {"method":"POST","path":"/sso/finish","allow":"public"} as unknown as Calls['finishSso'];
export const getSso = {"method":"GET","path":"/account/sso","allow":"manageSecurity"} as unknown as Calls['getSso'];
export const updateSso = {"method":"POST","path":"/account/sso","allow":"manageSecurity"} as unknown as Calls['updateSso'];
export const deleteSso = {"method":"DELETE","path":"/account/sso","allow":"manageSecurity"} as unknown as Calls['deleteSso'];
export const mailDomainProofs = {"method":"POST","path":"/account/sso/proofs","allow":"manageSecurity"} as unknown as Calls['mailDomainProofs'];
export const proveDomain = {"method":"POST","path":"/sso/prove-domain","allow":"public"} as unknown as Calls['proveDomain'];
export const createLoginToken = {"method":"POST","path":"/singlesignon/logintokens","allow":"useLabs"} as unknown as Calls['createLoginToken'];
export const redeemLoginToken = {"method":"POST","path":"/singlesignon/logintokens/redeem","allow":"public"} as unknown as Calls['redeemLoginToken'];
