// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['consents'];

export const listOptOuts = {"method":"GET","path":"/optouts","allow":"seeOptOutReport"} as unknown as Calls['listOptOuts'];
export const downloadOptOuts = {"method":"GET","path":"/optouts.csv","allow":"seeOptOutReport"} as unknown as Calls['downloadOptOuts'];
export const listConsentEvents = {"method":"GET","path":"/phonenumbers/:Number/consents","allow":"seePhoneNumberHistory"} as unknown as Calls['listConsentEvents'];
export const downloadConsentEvents = {"method":"GET","path":"/phonenumbers/:Number/consents.csv","allow":"seePhoneNumberHistory"} as unknown as Calls['downloadConsentEvents'];
export const changeConsent = {"method":"PUT","path":"/phonenumbers/:Number/consent","allow":"changeConsent"} as unknown as Calls['changeConsent'];
export const undoConsent = {"method":"POST","path":"/phonenumbers/undo/:UndoID","allow":"changeConsent"} as unknown as Calls['undoConsent'];
export const getPhoneNumber = {"method":"GET","path":"/phonenumbers/:Number","allow":"lookUpPhones"} as unknown as Calls['getPhoneNumber'];
export const lookUpPhoneNumbers = {"method":"POST","path":"/phonenumbers/lookup","allow":"lookUpPhones"} as unknown as Calls['lookUpPhoneNumbers'];
export const validatePhoneNumber = {"method":"POST","path":"/validation/phone","allow":"lookUpPhones"} as unknown as Calls['validatePhoneNumber'];
