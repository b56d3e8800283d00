// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['imports'];

export const uploadFile = {"method":"POST","path":"/fileuploads/:FileName","allow":"manageOwnContacts","uploadBytes":268435456} as unknown as Calls['uploadFile'];
export const listFiles = {"method":"GET","path":"/fileuploads","allow":"manageOwnContacts"} as unknown as Calls['listFiles'];
export const getFile = {"method":"GET","path":"/fileuploads/:FileID","allow":"manageOwnContacts"} as unknown as Calls['getFile'];
export const processFile = {"method":"PUT","path":"/fileuploads/:FileID","allow":"manageOwnContacts"} as unknown as Calls['processFile'];
export const listFileRows = {"method":"GET","path":"/fileuploads/:FileID/rows","allow":"manageOwnContacts"} as unknown as Calls['listFileRows'];
export const mendFileRows = {"method":"PUT","path":"/fileuploads/:FileID/rows","allow":"manageOwnContacts"} as unknown as Calls['mendFileRows'];
export const downloadRejectedRows = {"method":"GET","path":"/fileuploads/:FileID/rejected.csv","allow":"manageOwnContacts"} as unknown as Calls['downloadRejectedRows'];
export const importFile = {"method":"POST","path":"/lists/:ListID/fileUploads","allow":"manageOwnContacts","takesIdempotencyKey":true} as unknown as Calls['importFile'];
export const cancelFile = {"method":"DELETE","path":"/fileuploads/:FileID","allow":"manageOwnContacts"} as unknown as Calls['cancelFile'];
export const undoFile = {"method":"POST","path":"/fileuploads/undo/:UndoID","allow":"manageOwnContacts"} as unknown as Calls['undoFile'];
export const pasteContacts = {"method":"POST","path":"/lists/:ListID/contacts/paste","allow":"manageOwnContacts","takesIdempotencyKey":true} as unknown as Calls['pasteContacts'];
