// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['registration'];

export const listLocalNumbers = {"method":"GET","path":"/account/localnumbers","allow":"buyLocalNumber"} as unknown as Calls['listLocalNumbers'];
export const reserveLocalNumber = {"method":"POST","path":"/account/reservelocalnumber","allow":"buyLocalNumber"} as unknown as Calls['reserveLocalNumber'];
export const buyLocalNumber = {"method":"POST","path":"/account/localnumbers","allow":"buyLocalNumber"} as unknown as Calls['buyLocalNumber'];
export const listNumberOrders = {"method":"GET","path":"/account/localnumbers/orders","allow":"buyLocalNumber"} as unknown as Calls['listNumberOrders'];
export const getUnregisteredNumber = {"method":"POST","path":"/account/unregisteredlocalnumber","allow":"buyLocalNumber"} as unknown as Calls['getUnregisteredNumber'];
export const releaseTextNumber = {"method":"POST","path":"/textnumbers/:TextNumberID/release","allow":"releaseTextNumbers"} as unknown as Calls['releaseTextNumber'];
export const keepTextNumber = {"method":"POST","path":"/textnumbers/:TextNumberID/keep","allow":"releaseTextNumbers"} as unknown as Calls['keepTextNumber'];
export const createRegistrationRequest = {"method":"POST","path":"/aws/texting/registration/requests","allow":"setUpTexting","takesIdempotencyKey":true} as unknown as Calls['createRegistrationRequest'];
export const listRegistrationRequests = {"method":"GET","path":"/aws/texting/registration/requests","allow":"seeTextNumbers"} as unknown as Calls['listRegistrationRequests'];
export const getCurrentRegistration = {"method":"GET","path":"/aws/texting/registration/requests/current","allow":"seeTextNumbers"} as unknown as Calls['getCurrentRegistration'];
export const resendRegistrationEmail = {"method":"POST","path":"/aws/texting/registration/resendauthplusemail","allow":"setUpTexting"} as unknown as Calls['resendRegistrationEmail'];
export const resendRegistrationText = {"method":"POST","path":"/aws/texting/registration/resendsmsotp","allow":"setUpTexting"} as unknown as Calls['resendRegistrationText'];
export const getTollFreeForm = {"method":"GET","path":"/account/toll-free-registration/form","allow":"registerTollFree"} as unknown as Calls['getTollFreeForm'];
export const getTollFreeRegistration = {"method":"GET","path":"/account/toll-free-registration","allow":"seeTextNumbers"} as unknown as Calls['getTollFreeRegistration'];
export const registerTollFree = {"method":"POST","path":"/account/toll-free-registration","allow":"registerTollFree","takesIdempotencyKey":true} as unknown as Calls['registerTollFree'];
export const getCapabilities = {"method":"GET","path":"/aws/capabilities","allow":"useMuster"} as unknown as Calls['getCapabilities'];
export const lookUpEin = {"method":"GET","path":"/aws/texting/registration/ein-lookup/:ein","allow":"setUpTexting"} as unknown as Calls['lookUpEin'];
export const validateWebsite = {"method":"POST","path":"/registration/website/validate","allow":"setUpTexting"} as unknown as Calls['validateWebsite'];
export const getReturningBrand = {"method":"GET","path":"/texting/registration/getBrandWithReturningUserStatus","allow":"setUpTexting"} as unknown as Calls['getReturningBrand'];
export const getCampaignDetails = {"method":"GET","path":"/cdn/registration/CampaignDetailsV2.json","allow":"useMuster"} as unknown as Calls['getCampaignDetails'];
export const getRegistrationDraft = {"method":"GET","path":"/aws/texting/registration/draft","allow":"setUpTexting"} as unknown as Calls['getRegistrationDraft'];
export const saveRegistrationDraft = {"method":"PUT","path":"/aws/texting/registration/draft","allow":"setUpTexting"} as unknown as Calls['saveRegistrationDraft'];
