import * as calls from '../../contract/templates.ts';
import { type App, serve } from '../serve.ts';
import { deleteTemplate, undoTemplates } from './delete-template.ts';
import { listTemplateRows } from './queries.ts';
import { addTemplate, noteTemplateUse, updateTemplate } from './set-template.ts';

export function templateRoutes(app: App): void {
  serve(app, calls.listTemplates, (trx, actor, { query }) => listTemplateRows(trx, actor, query));
  serve(app, calls.addTemplate, addTemplate);
  serve(app, calls.updateTemplate, updateTemplate);
  serve(app, calls.noteTemplateUse, noteTemplateUse);
  serve(app, calls.deleteTemplate, deleteTemplate);
  serve(app, calls.undoTemplates, undoTemplates);
}
