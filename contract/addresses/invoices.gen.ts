// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['invoices'];

export const listInvoices = {"method":"GET","path":"/invoices","allow":"seeInvoices"} as unknown as Calls['listInvoices'];
export const payInvoice = {"method":"POST","path":"/invoices/:InvoiceID/payments","allow":"payInvoices","takesIdempotencyKey":true} as unknown as Calls['payInvoice'];
export const previewInvoice = {"method":"POST","path":"/invoices/preview","allow":"createOwnInvoice"} as unknown as Calls['previewInvoice'];
export const createInvoice = {"method":"POST","path":"/invoices","allow":"createOwnInvoice","takesIdempotencyKey":true} as unknown as Calls['createInvoice'];
export const getInvoice = {"method":"GET","path":"/invoices/:InvoiceID","allow":"seeInvoices"} as unknown as Calls['getInvoice'];
export const downloadInvoice = {"method":"GET","path":"/invoices/:InvoiceID.pdf","allow":"seeInvoices"} as unknown as Calls['downloadInvoice'];
export const downloadInvoices = {"method":"GET","path":"/invoices.csv","allow":"seeInvoices"} as unknown as Calls['downloadInvoices'];
export const updateInvoice = {"method":"PUT","path":"/invoices/:InvoiceID","allow":"payInvoices"} as unknown as Calls['updateInvoice'];
export const listInvoiceAddresses = {"method":"GET","path":"/account/:AccountID/invoiceaddresses","allow":"manageInvoiceAddresses"} as unknown as Calls['listInvoiceAddresses'];
export const addInvoiceAddress = {"method":"POST","path":"/account/:AccountID/invoiceaddresses","allow":"manageInvoiceAddresses"} as unknown as Calls['addInvoiceAddress'];
export const updateInvoiceAddress = {"method":"PUT","path":"/account/:AccountID/invoiceaddresses","allow":"manageInvoiceAddresses"} as unknown as Calls['updateInvoiceAddress'];
export const deleteInvoiceAddress = {"method":"DELETE","path":"/account/:AccountID/invoiceaddresses","allow":"manageInvoiceAddresses"} as unknown as Calls['deleteInvoiceAddress'];
