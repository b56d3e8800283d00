import * as calls from '../../contract/contacts.ts';
import * as listCalls from '../../contract/lists.ts';
import * as workCalls from '../../contract/work.ts';
import { type App, serve, serveDownload } from '../serve.ts';
import { addContact } from './add-contact.ts';
import { copyContacts, removeContacts, updateContacts } from './change-contacts.ts';
import { addList, deleteList, updateList } from './change-lists.ts';
import { countSegment } from './count-segment.ts';
import { addCustomField, deleteCustomField, listCustomFields, updateCustomField } from './custom-fields.ts';
import { deleteContact } from './delete-contact.ts';
import { downloadExport, exportContacts } from './export-contacts.ts';
import { getWork, listWork } from './get-work.ts';
import { listContacts } from './list-contacts.ts';
import { listDuplicates } from './list-duplicates.ts';
import { getList, listLists } from './list-lists.ts';
import { mergeContacts } from './merge-contacts.ts';
import { wholeContact } from './queries.ts';
import { undoContacts } from './undo-contacts.ts';
import { updateContact } from './update-contact.ts';

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
