import * as purchaseCalls from '../../contract/purchases.ts';
import * as calls from '../../contract/reports.ts';
import { type App, serve, serveDownload } from '../serve.ts';
import { createView, deleteView, listViews, updateView } from './change-views.ts';
import { getOptInCounts, getOptOutCounts } from './count-consents.ts';
import { downloadDelivery, getDelivery } from './get-delivery.ts';
import { getInvoiceMonths } from './get-invoice-months.ts';
import { downloadTextActivity, getTextActivity } from './get-text-activity.ts';
import { downloadUsageSummary, getUsageSummary } from './get-usage-summary.ts';
import { downloadBillingHistory, getBillingMonths, listBillingHistory } from './list-billing-history.ts';
import { downloadCreditBalance, getCreditDays, listCreditBalance } from './list-credit-balance.ts';
import { downloadOptIns, listOptIns } from './list-opt-ins.ts';
import { downloadPhoneHistory, listPhoneHistory } from './list-phone-history.ts';

export function reportRoutes(app: App): void {
  serve(app, calls.getTextActivity, getTextActivity);
  serveDownload(app, calls.downloadTextActivity, downloadTextActivity);
  serve(app, calls.listPhoneHistory, listPhoneHistory);
  serveDownload(app, calls.downloadPhoneHistory, downloadPhoneHistory);
  serve(app, calls.getDelivery, getDelivery);
  serveDownload(app, calls.downloadDelivery, downloadDelivery);
  serve(app, calls.getOptOutCounts, getOptOutCounts);
  serve(app, calls.getOptInCounts, getOptInCounts);
  serve(app, calls.listOptIns, listOptIns);
  serveDownload(app, calls.downloadOptIns, downloadOptIns);

  serve(app, purchaseCalls.getUsageSummary, getUsageSummary);
  serveDownload(app, purchaseCalls.downloadUsageSummary, downloadUsageSummary);
  serve(app, purchaseCalls.listCreditBalance, listCreditBalance);
  serve(app, calls.getCreditDays, getCreditDays);
  serveDownload(app, purchaseCalls.downloadCreditBalance, downloadCreditBalance);
  serve(app, purchaseCalls.listBillingHistory, listBillingHistory);
  serve(app, calls.getBillingMonths, getBillingMonths);
  serveDownload(app, purchaseCalls.downloadBillingHistory, downloadBillingHistory);

  serve(app, calls.getInvoiceMonths, getInvoiceMonths);

  serve(app, calls.listReportViews, listViews);
  serve(app, calls.createReportView, createView);
  serve(app, calls.updateReportView, updateView);
  serve(app, calls.deleteReportView, deleteView);
}
