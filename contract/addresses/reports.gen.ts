// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['reports'];

export const getTextActivity = {"method":"GET","path":"/reports/text-activity","allow":"seeTextActivity"} as unknown as Calls['getTextActivity'];
export const downloadTextActivity = {"method":"GET","path":"/reports/text-activity.csv","allow":"seeTextActivity"} as unknown as Calls['downloadTextActivity'];
export const listPhoneHistory = {"method":"GET","path":"/phonenumbers/:Number/history","allow":"seePhoneNumberHistory"} as unknown as Calls['listPhoneHistory'];
export const downloadPhoneHistory = {"method":"GET","path":"/phonenumbers/:Number/history.csv","allow":"seePhoneNumberHistory"} as unknown as Calls['downloadPhoneHistory'];
export const getDelivery = {"method":"GET","path":"/reports/delivery","allow":"seeDelivery"} as unknown as Calls['getDelivery'];
export const downloadDelivery = {"method":"GET","path":"/reports/delivery.csv","allow":"seeDelivery"} as unknown as Calls['downloadDelivery'];
export const getCreditDays = {"method":"GET","path":"/reports/credit-balance","allow":"seeCreditBalance"} as unknown as Calls['getCreditDays'];
export const getBillingMonths = {"method":"GET","path":"/reports/billing-history","allow":"seeBillingHistory"} as unknown as Calls['getBillingMonths'];
export const getInvoiceMonths = {"method":"GET","path":"/reports/invoices","allow":"seeInvoices"} as unknown as Calls['getInvoiceMonths'];
export const getOptOutCounts = {"method":"GET","path":"/reports/opt-outs","allow":"seeOptOutReport"} as unknown as Calls['getOptOutCounts'];
export const getOptInCounts = {"method":"GET","path":"/reports/opt-ins","allow":"seePromotionalOptIn"} as unknown as Calls['getOptInCounts'];
export const listOptIns = {"method":"GET","path":"/reports/promotional-opt-in","allow":"seePromotionalOptIn"} as unknown as Calls['listOptIns'];
export const downloadOptIns = {"method":"GET","path":"/reports/promotional-opt-in.csv","allow":"seePromotionalOptIn"} as unknown as Calls['downloadOptIns'];
export const listReportViews = {"method":"GET","path":"/reports/views","allow":"useMuster"} as unknown as Calls['listReportViews'];
export const createReportView = {"method":"POST","path":"/reports/views","allow":"useMuster","takesIdempotencyKey":true} as unknown as Calls['createReportView'];
export const updateReportView = {"method":"PUT","path":"/reports/views/:ReportViewID","allow":"useMuster"} as unknown as Calls['updateReportView'];
export const deleteReportView = {"method":"DELETE","path":"/reports/views/:ReportViewID","allow":"useMuster"} as unknown as Calls['deleteReportView'];
