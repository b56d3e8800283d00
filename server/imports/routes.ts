import * as calls from '../../contract/imports.ts';
import type { FileStore } from '../files.ts';
import { type App, serve, serveDownload, serveStream } from '../serve.ts';
import { importFile } from './import-file.ts';
import { downloadRejectedRows, listFileRows } from './list-file-rows.ts';
import { mendFileRows } from './mend-file-rows.ts';
import { pasteContacts } from './paste-contacts.ts';
import { processFile } from './process-file.ts';
import { getFile, listFiles } from './queries.ts';
import { cancelFile, undoFile } from './undo-file.ts';
import { uploadFile } from './upload-file.ts';

export function importRoutes(app: App, files: FileStore): void {
  serveStream(app, calls.uploadFile, (_app, actor, input, upload) =>
    uploadFile({ ...app, files }, actor, input, upload),
  );
  serve(app, calls.listFiles, listFiles);
  serve(app, calls.getFile, (trx, actor, { params }) => getFile(trx, actor, params.FileID));
  serve(app, calls.processFile, processFile);
  serve(app, calls.listFileRows, listFileRows);
  serve(app, calls.mendFileRows, mendFileRows);
  serveDownload(app, calls.downloadRejectedRows, (_app, actor, { params }) =>
    downloadRejectedRows(app, actor, params.FileID),
  );
  serve(app, calls.importFile, importFile);
  serve(app, calls.cancelFile, cancelFile);
  serve(app, calls.undoFile, undoFile);
  serve(app, calls.pasteContacts, pasteContacts);
}
