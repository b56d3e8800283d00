// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['purchases'];

export const getPricing = {"method":"GET","path":"/pricing/:PricingId","allow":"useMuster"} as unknown as Calls['getPricing'];
export const getCardFields = {"method":"GET","path":"/creditcard/fields","allow":"viewBilling"} as unknown as Calls['getCardFields'];
export const getCreditCard = {"method":"GET","path":"/creditcard","allow":"viewBilling"} as unknown as Calls['getCreditCard'];
export const createCardSetup = {"method":"POST","path":"/creditcard/setup","allow":"manageCard"} as unknown as Calls['createCardSetup'];
export const addCreditCard = {"method":"POST","path":"/creditcard","allow":"manageCard"} as unknown as Calls['addCreditCard'];
export const updateCreditCard = {"method":"PUT","path":"/creditcard","allow":"manageCard"} as unknown as Calls['updateCreditCard'];
export const deleteCreditCard = {"method":"DELETE","path":"/creditcard","allow":"manageCard"} as unknown as Calls['deleteCreditCard'];
export const previewCharge = {"method":"POST","path":"/charges/preview","allow":"viewBilling"} as unknown as Calls['previewCharge'];
export const createCharge = {"method":"POST","path":"/charges","allow":"viewBilling","takesIdempotencyKey":true} as unknown as Calls['createCharge'];
export const getCharge = {"method":"GET","path":"/charges/:ChargeID","allow":"viewBilling"} as unknown as Calls['getCharge'];
export const getAutoRefill = {"method":"GET","path":"/account/autorefillsetting","allow":"viewBilling"} as unknown as Calls['getAutoRefill'];
export const addAutoRefill = {"method":"POST","path":"/account/autorefillsetting","allow":"manageAutoRefill"} as unknown as Calls['addAutoRefill'];
export const updateAutoRefill = {"method":"PUT","path":"/account/autorefillsetting","allow":"manageAutoRefill"} as unknown as Calls['updateAutoRefill'];
export const getAutoRefillStatus = {"method":"GET","path":"/account/autorefillsetting/status","allow":"viewBilling"} as unknown as Calls['getAutoRefillStatus'];
export const dismissAutoRefillError = {"method":"POST","path":"/autorefillerror/:AutoRefillRequestID/dismiss","allow":"manageAutoRefill"} as unknown as Calls['dismissAutoRefillError'];
export const cancelAccount = {"method":"POST","path":"/account/cancel","allow":"closeAccount"} as unknown as Calls['cancelAccount'];
export const updateFlatRate = {"method":"PUT","path":"/account/textnumbers/:TextNumberID/flatrate","allow":"manageUnlimitedConversations"} as unknown as Calls['updateFlatRate'];
export const listBillingHistory = {"method":"GET","path":"/billinghistory","allow":"seeBillingHistory"} as unknown as Calls['listBillingHistory'];
export const downloadBillingHistory = {"method":"GET","path":"/billinghistory.csv","allow":"seeBillingHistory"} as unknown as Calls['downloadBillingHistory'];
export const listCreditBalance = {"method":"GET","path":"/creditbalance","allow":"seeCreditBalance"} as unknown as Calls['listCreditBalance'];
export const downloadCreditBalance = {"method":"GET","path":"/creditbalance.csv","allow":"seeCreditBalance"} as unknown as Calls['downloadCreditBalance'];
export const getUsageSummary = {"method":"GET","path":"/account/usage-summary","allow":"seeUsageSummary"} as unknown as Calls['getUsageSummary'];
export const downloadUsageSummary = {"method":"GET","path":"/account/usage-summary.csv","allow":"seeUsageSummary"} as unknown as Calls['downloadUsageSummary'];
export const useGroupCode = {"method":"POST","path":"/groupcode","allow":"viewBilling"} as unknown as Calls['useGroupCode'];
export const validatePromoCode = {"method":"POST","path":"/validation/promocode","allow":"public"} as unknown as Calls['validatePromoCode'];
