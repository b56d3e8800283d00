import * as calls from '../../contract/contacts.ts';
import * as listCalls from '../../contract/lists.ts';
import * as workCalls from '../../contract/work.ts';
import { type App, serve, serveDownload } from '../serve.ts';
import { addContact } from './change/add-contact.ts';
import { copyContacts, removeContacts, updateContacts } from './change/change-contacts.ts';
import {
  addCustomField,
  deleteCustomField,
  listCustomFields,
  updateCustomField,
} from './change/custom-fields.ts';
import { deleteContact } from './change/delete-contact.ts';
import { mergeContacts } from './change/merge-contacts.ts';
import { undoContacts } from './change/undo-contacts.ts';
import { updateContact } from './change/update-contact.ts';
import { addList, deleteList, updateList } from './groups/change-lists.ts';
import { countSegment } from './groups/count-segment.ts';
import { getList, listLists } from './groups/list-lists.ts';
import { downloadExport, exportContacts } from './list/export-contacts.ts';
import { getWork, listWork } from './list/get-work.ts';
import { listContacts } from './list/list-contacts.ts';
import { listDuplicates } from './list/list-duplicates.ts';
import { wholeContact } from './queries.ts';

export function contactRoutes(app: App): void {
  serve(app, calls.listContacts, listContacts);
  serve(app, listCalls.listLists, listLists);
  serve(app, listCalls.getList, (trx, actor, { params }) => getList(trx, actor, params.ListID));
  serve(app, listCalls.countSegment, countSegment);

  serve(app, calls.addContact, addContact);
  serve(app, calls.getContact, (trx, actor, { params }) => wholeContact(trx, actor, params.PersonID));
  serve(app, calls.updateContact, updateContact);
  serve(app, calls.deleteContact, deleteContact);
  serve(app, calls.copyContacts, copyContacts);
  serve(app, calls.removeContacts, removeContacts);
  serve(app, calls.updateContacts, updateContacts);
  serve(app, calls.undoContacts, undoContacts);
  serve(app, calls.listDuplicates, listDuplicates);
  serve(app, calls.mergeContacts, mergeContacts);
  serve(app, workCalls.getWork, getWork);
  serve(app, workCalls.listWork, listWork);

  serve(app, listCalls.addList, addList);
  serve(app, listCalls.updateList, updateList);
  serve(app, listCalls.deleteList, deleteList);

  serve(app, calls.listCustomFields, listCustomFields);
  serve(app, calls.addCustomField, addCustomField);
  serve(app, calls.updateCustomField, updateCustomField);
  serve(app, calls.deleteCustomField, deleteCustomField);

  serve(app, calls.exportContacts, exportContacts);
  serveDownload(app, calls.downloadExport, downloadExport);
}
