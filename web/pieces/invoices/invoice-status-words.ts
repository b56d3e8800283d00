import type { InvoiceStatusCategory } from '../../../contract/states/invoice-status.ts';
import { say } from '../../ui/say.ts';

/** How the states of invoices are called; their names are values. */
export const invoiceStatusWords: Record<InvoiceStatusCategory, string> = {
  Paid: say('Paid', 'invoice'),
  Pending: say('Pending', 'invoice'),
  Voided: say('Voided', 'invoice'),
  Unpaid: say('Unpaid', 'invoice'),
  'Partially Paid': say('Partially Paid', 'invoice'),
  outstanding: say('outstanding', 'invoice'),
};
