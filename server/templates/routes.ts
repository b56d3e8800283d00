import * as calls from '../../contract/templates.ts';
import { type App, serve } from '../serve.ts';
import {
  deleteTemplate,
  deleteTemplates,
  undoTemplates,
  updateTemplateSelection,
} from './change-templates.ts';
import { listTemplateRows, readTemplateSummary } from './queries.ts';
import { addTemplate, noteTemplateUse, updateTemplate } from './set-template.ts';

export function templateRoutes(app: App): void {
  serve(app, calls.listTemplates, (trx, actor, { query }) => listTemplateRows(trx, actor, query));
  serve(app, calls.getTemplateSummary, (trx, actor) => readTemplateSummary(trx, actor));
  serve(app, calls.addTemplate, addTemplate);
  serve(app, calls.updateTemplate, updateTemplate);
  serve(app, calls.updateTemplateSelection, updateTemplateSelection);
  serve(app, calls.noteTemplateUse, noteTemplateUse);
  serve(app, calls.deleteTemplate, deleteTemplate);
  serve(app, calls.deleteTemplates, deleteTemplates);
  serve(app, calls.undoTemplates, undoTemplates);
}
