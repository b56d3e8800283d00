import { Readable } from 'node:stream';
import * as calls from '../../contract/invoices.ts';
import { asAccount } from '../db.ts';
import { createSalesTax } from '../outside/sales-tax.ts';
import { askedMoments } from '../reports/rules.ts';
import { type App, serve, serveDownload, serveOutside } from '../serve.ts';
import {
  addAddress,
  deleteAddress,
  listAddresses,
  refuseOtherAccount,
  updateAddress,
} from './change-addresses.ts';
import { createInvoice } from './create-invoice.ts';
import { downloadInvoices } from './download-invoices.ts';
import { drawInvoice } from './draw-invoice.ts';
import { getInvoice, listInvoices } from './queries.ts';
import { updateInvoice } from './update-invoice.ts';

export function invoiceRoutes(app: App): void {
  const salesTax = createSalesTax(app.config);

  serve(app, calls.listInvoices, (trx, actor, { query }) =>
    listInvoices(trx, actor.accountId, { ...query, between: askedMoments(query, actor.timeZone) }),
  );
  serveDownload(app, calls.downloadInvoices, downloadInvoices);

  serve(app, calls.getInvoice, async (trx, actor, { params }) => ({
    ...(await getInvoice(trx, actor.accountId, params.InvoiceID)),
    From: app.config.INVOICE_FROM,
  }));

  serveDownload(app, calls.downloadInvoice, async (_app, actor, { params }) => {
    const invoice = await asAccount(app.database, actor.accountId, (trx) =>
      getInvoice(trx, actor.accountId, params.InvoiceID),
    );
    const pdf = await drawInvoice(invoice, {
      from: app.config.INVOICE_FROM,
      accountId: actor.accountId,
      zone: actor.timeZone,
      // Programs get the same file no matter who created their key.
      languageId: actor.sessionId > 0 ? actor.languageId : 1,
      moreFonts: app.config.INVOICE_FONTS,
    });
    return {
      fileName: `${params.InvoiceID}.pdf`,
      contentType: 'application/pdf',
      stream: Readable.from([pdf]),
    };
  });

  serveOutside(app, calls.previewInvoice, (_app, actor, { body }) =>
    createInvoice(app, actor, { body, salesTax, isPreview: true }),
  );

  serveOutside(app, calls.createInvoice, (_app, actor, { body, headers }) =>
    createInvoice(app, actor, { body, key: headers['idempotency-key'], salesTax, isPreview: false }),
  );

  serve(app, calls.updateInvoice, (trx, actor, input) =>
    updateInvoice(trx, actor, input, app.config.PUBLIC_URL),
  );

  serve(app, calls.listInvoiceAddresses, (trx, actor, { params, query }) => {
    refuseOtherAccount(actor, params);
    return listAddresses(trx, actor, query.inactive === true);
  });
  serve(app, calls.addInvoiceAddress, addAddress);
  serve(app, calls.updateInvoiceAddress, updateAddress);
  serve(app, calls.deleteInvoiceAddress, deleteAddress);
}
