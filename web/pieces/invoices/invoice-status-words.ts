import type { InvoiceStatusCategory } from '../../../contract/states/invoice-status.ts';
import { say } from '../../ui/say.ts';

/** Words for the states of invoices; their names are values. */
export const invoiceStatusWords: Record<InvoiceStatusCategory, string> = {
  Paid: say('Paid', 'invoice'),
  Pending: say('Pending', 'invoice'),
  Voided: say('Voided', 'invoice'),
  Unpaid: say('Unpaid', 'invoice'),
  'Partially Paid': say('Partially Paid', 'invoice'),
  outstanding: say('outstanding', 'invoice'),
};
