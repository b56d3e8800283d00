// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['templates'];

export const listTemplates = {"method":"GET","path":"/templates","allow":"useMessageLibrary"} as unknown as Calls['listTemplates'];
export const getTemplateSummary = {"method":"GET","path":"/templates/summary","allow":"useMessageLibrary"} as unknown as Calls['getTemplateSummary'];
export const addTemplate = {"method":"POST","path":"/templates","allow":"useMessageLibrary","takesIdempotencyKey":true} as unknown as Calls['addTemplate'];
export const updateTemplate = {"method":"PUT","path":"/templates/:TemplateID","allow":"useMessageLibrary"} as unknown as Calls['updateTemplate'];
export const updateTemplateSelection = {"method":"PUT","path":"/templates","allow":"useMessageLibrary"} as unknown as Calls['updateTemplateSelection'];
export const noteTemplateUse = {"method":"POST","path":"/templates/:TemplateID/uses","allow":"useMessageLibrary"} as unknown as Calls['noteTemplateUse'];
export const deleteTemplate = {"method":"DELETE","path":"/templates/:TemplateID","allow":"useMessageLibrary"} as unknown as Calls['deleteTemplate'];
export const deleteTemplates = {"method":"DELETE","path":"/templates","allow":"useMessageLibrary"} as unknown as Calls['deleteTemplates'];
export const undoTemplates = {"method":"POST","path":"/templates/undo/:UndoID","allow":"useMessageLibrary"} as unknown as Calls['undoTemplates'];
