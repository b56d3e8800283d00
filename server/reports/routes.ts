import * as calls from '../../contract/reports.ts';
import { type App, serve, serveDownload } from '../serve.ts';
import { downloadTextActivity, getTextActivity } from './get-text-activity.ts';
import { downloadPhoneHistory, listPhoneHistory } from './list-phone-history.ts';

export function reportRoutes(app: App): void {
  serve(app, calls.getTextActivity, getTextActivity);
  serveDownload(app, calls.downloadTextActivity, downloadTextActivity);
  serve(app, calls.listPhoneHistory, listPhoneHistory);
  serveDownload(app, calls.downloadPhoneHistory, downloadPhoneHistory);
}
