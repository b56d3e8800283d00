// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['contacts'];

export const listContacts = {"method":"GET","path":"/lists/:ListID/contacts","allow":"manageOwnContacts"} as unknown as Calls['listContacts'];
export const addContact = {"method":"POST","path":"/contacts","allow":"manageOwnContacts","takesIdempotencyKey":true} as unknown as Calls['addContact'];
export const getContact = {"method":"GET","path":"/contacts/:PersonID","allow":"manageOwnContacts"} as unknown as Calls['getContact'];
export const updateContact = {"method":"PUT","path":"/contacts/:PersonID","allow":"manageOwnContacts"} as unknown as Calls['updateContact'];
export const deleteContact = {"method":"DELETE","path":"/contacts/:PersonID","allow":"deleteFromEveryone"} as unknown as Calls['deleteContact'];
export const listContactHistory = {"method":"GET","path":"/contacts/:PersonID/history","allow":"manageOwnContacts"} as unknown as Calls['listContactHistory'];
export const copyContacts = {"method":"POST","path":"/lists/:ListID/contacts/tolist/:TargetID","allow":"manageOwnContacts","takesIdempotencyKey":true} as unknown as Calls['copyContacts'];
export const removeContacts = {"method":"DELETE","path":"/lists/:ListID/contacts","allow":"manageOwnContacts"} as unknown as Calls['removeContacts'];
export const updateContacts = {"method":"PUT","path":"/lists/:ListID/contacts","allow":"manageOwnContacts"} as unknown as Calls['updateContacts'];
export const undoContacts = {"method":"POST","path":"/contacts/undo/:UndoID","allow":"manageOwnContacts"} as unknown as Calls['undoContacts'];
export const listDuplicates = {"method":"GET","path":"/contacts/duplicates","allow":"mergeContacts"} as unknown as Calls['listDuplicates'];
export const mergeContacts = {"method":"POST","path":"/contacts/merge","allow":"mergeContacts"} as unknown as Calls['mergeContacts'];
export const getWork = {"method":"GET","path":"/work/:WorkID","allow":"useMuster"} as unknown as Calls['getWork'];
export const listWork = {"method":"GET","path":"/work","allow":"useMuster"} as unknown as Calls['listWork'];
export const listLists = {"method":"GET","path":"/lists","allow":"manageOwnContacts"} as unknown as Calls['listLists'];
export const getList = {"method":"GET","path":"/lists/:ListID","allow":"manageOwnContacts"} as unknown as Calls['getList'];
export const addList = {"method":"POST","path":"/lists","allow":"manageOwnContacts","takesIdempotencyKey":true} as unknown as Calls['addList'];
export const updateList = {"method":"PUT","path":"/lists/:ListID","allow":"manageOwnContacts"} as unknown as Calls['updateList'];
export const deleteList = {"method":"DELETE","path":"/lists/:ListID","allow":"manageOwnContacts"} as unknown as Calls['deleteList'];
export const countSegment = {"method":"POST","path":"/lists/segmentcount","allow":"manageOwnContacts"} as unknown as Calls['countSegment'];
export const listCustomFields = {"method":"GET","path":"/contacts/fields","allow":"manageOwnContacts"} as unknown as Calls['listCustomFields'];
export const addCustomField = {"method":"POST","path":"/contacts/fields","allow":"manageOwnContacts"} as unknown as Calls['addCustomField'];
export const updateCustomField = {"method":"PUT","path":"/contacts/fields/:FieldID","allow":"manageOwnContacts"} as unknown as Calls['updateCustomField'];
export const deleteCustomField = {"method":"DELETE","path":"/contacts/fields/:FieldID","allow":"deleteCustomFields"} as unknown as Calls['deleteCustomField'];
export const exportContacts = {"method":"POST","path":"/lists/:ListID/contacts/export","allow":"manageOwnContacts"} as unknown as Calls['exportContacts'];
export const downloadExport = {"method":"GET","path":"/exports/:ExportID/:FileName","allow":"manageOwnContacts"} as unknown as Calls['downloadExport'];
