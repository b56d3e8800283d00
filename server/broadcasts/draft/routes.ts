import * as recipientCalls from '../../../contract/draft-recipients.ts';
import * as calls from '../../../contract/drafts.ts';
import * as mergeCalls from '../../../contract/template-merges.ts';
import { type App, serve, serveDownload } from '../../serve.ts';
import { getPreflight } from '../preflight/get-preflight.ts';
import {
  addDraftFile,
  addDraftLists,
  addDraftNumbers,
  contactsToDraft,
  contactsToNewDraft,
  listsToNewDraft,
} from '../recipients/add-to-draft.ts';
import { addDraftContact, updateDraftContact } from '../recipients/change-recipient.ts';
import { downloadLeftOut, listDraftContacts } from '../recipients/list-recipients.ts';
import { removeDraftContacts } from '../recipients/remove-recipients.ts';
import { setFrequencyAside } from '../recipients/set-frequency-aside.ts';
import { getContactSummary } from '../recipients/summarize-recipients.ts';
import { undoDraftContacts } from '../recipients/undo-removal.ts';
import { createDraft } from './create-draft.ts';
import { deleteDraft } from './delete-draft.ts';
import { listMerged } from './list-merged.ts';
import { updateMerged } from './mend-merged.ts';
import { createTemplateMerge, getMerge, mergeDraft } from './merge-draft.ts';
import { mergeSingle } from './merge-single.ts';
import { getDraft, listDrafts } from './read-draft.ts';
import { sendTest } from './send-test.ts';
import { updateDraft, updateDraftType } from './update-draft.ts';

export function draftRoutes(app: App): void {
  serve(app, calls.createDraft, (trx, actor, input) => createDraft(trx, actor, input, app.config.PUBLIC_URL));
  serve(app, calls.listDrafts, listDrafts);
  serve(app, calls.getDraft, getDraft);
  serve(app, calls.updateDraft, (trx, actor, input) => updateDraft(trx, actor, input, app.config.PUBLIC_URL));
  serve(app, calls.updateDraftType, updateDraftType);
  serve(app, calls.deleteDraft, deleteDraft);
  serve(app, recipientCalls.listDraftContacts, listDraftContacts);
  serve(app, recipientCalls.addDraftContact, addDraftContact);
  serve(app, recipientCalls.updateDraftContact, updateDraftContact);
  serve(app, recipientCalls.removeDraftContacts, removeDraftContacts);
  serve(app, recipientCalls.undoDraftContacts, undoDraftContacts);
  serve(app, recipientCalls.addDraftNumbers, addDraftNumbers);
  serve(app, recipientCalls.addDraftLists, addDraftLists);
  serve(app, recipientCalls.addDraftFile, addDraftFile);
  serve(app, recipientCalls.contactsToNewDraft, contactsToNewDraft);
  serve(app, recipientCalls.contactsToDraft, contactsToDraft);
  serve(app, recipientCalls.listsToNewDraft, listsToNewDraft);
  serve(app, recipientCalls.getContactSummary, getContactSummary);
  serve(app, recipientCalls.setFrequencyAside, setFrequencyAside);
  serveDownload(app, recipientCalls.downloadLeftOut, downloadLeftOut);

  serve(app, calls.getPreflight, getPreflight);
  serve(app, calls.sendTest, sendTest);
  serve(app, mergeCalls.mergeDraft, mergeDraft);
  serve(app, mergeCalls.mergeSingle, mergeSingle);
  serve(app, mergeCalls.createTemplateMerge, createTemplateMerge);
  serve(app, mergeCalls.getTemplateMerge, (trx, actor, { params }) =>
    getMerge(trx, actor, params.TemplateMergeID),
  );
  serve(app, mergeCalls.listMergedMessages, listMerged);
  serve(app, mergeCalls.updateMergedMessages, updateMerged);
}
