// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['drafts'];

export const createDraft = {"method":"POST","path":"/draft-broadcasts","allow":"createBroadcast","takesIdempotencyKey":true} as unknown as Calls['createDraft'];
export const listDrafts = {"method":"GET","path":"/draft-broadcasts","allow":"seeBroadcasts"} as unknown as Calls['listDrafts'];
export const getDraft = {"method":"GET","path":"/draft-broadcasts/:DraftBroadcastID","allow":"seeBroadcasts"} as unknown as Calls['getDraft'];
export const updateDraft = {"method":"PUT","path":"/draft-broadcasts/:DraftBroadcastID","allow":"manageBroadcasts"} as unknown as Calls['updateDraft'];
export const updateDraftType = {"method":"PUT","path":"/draft-broadcasts/:DraftBroadcastID/type","allow":"manageBroadcasts"} as unknown as Calls['updateDraftType'];
export const deleteDraft = {"method":"DELETE","path":"/draft-broadcasts/:DraftBroadcastID","allow":"manageBroadcasts"} as unknown as Calls['deleteDraft'];
export const listDraftContacts = {"method":"GET","path":"/draft-broadcasts/:DraftBroadcastID/contacts","allow":"seeBroadcasts"} as unknown as Calls['listDraftContacts'];
export const addDraftContact = {"method":"POST","path":"/draft-broadcasts/:DraftBroadcastID/contacts","allow":"manageBroadcasts","takesIdempotencyKey":true} as unknown as Calls['addDraftContact'];
export const updateDraftContact = {"method":"PUT","path":"/draft-broadcasts/:DraftBroadcastID/contacts","allow":"manageBroadcasts"} as unknown as Calls['updateDraftContact'];
export const removeDraftContacts = {"method":"DELETE","path":"/draft-broadcasts/:DraftBroadcastID/contacts","allow":"manageBroadcasts"} as unknown as Calls['removeDraftContacts'];
export const undoDraftContacts = {"method":"POST","path":"/draft-broadcasts/undo/:UndoID","allow":"manageBroadcasts"} as unknown as Calls['undoDraftContacts'];
export const addDraftNumbers = {"method":"POST","path":"/draft-broadcasts/:DraftBroadcastID/contactlists","allow":"manageBroadcasts","takesIdempotencyKey":true} as unknown as Calls['addDraftNumbers'];
export const addDraftLists = {"method":"POST","path":"/draft-broadcasts/:DraftBroadcastID/lists","allow":"manageBroadcasts","takesIdempotencyKey":true} as unknown as Calls['addDraftLists'];
export const addDraftFile = {"method":"POST","path":"/draft-broadcasts/:DraftBroadcastID/fileuploads","allow":"manageBroadcasts","takesIdempotencyKey":true} as unknown as Calls['addDraftFile'];
export const contactsToNewDraft = {"method":"POST","path":"/lists/:ListID/contacts/todraftbroadcast","allow":"createBroadcast","takesIdempotencyKey":true} as unknown as Calls['contactsToNewDraft'];
export const contactsToDraft = {"method":"POST","path":"/lists/:ListID/contacts/todraftbroadcast/:DraftBroadcastID","allow":"manageBroadcasts","takesIdempotencyKey":true} as unknown as Calls['contactsToDraft'];
export const listsToNewDraft = {"method":"POST","path":"/lists/todraftbroadcast","allow":"createBroadcast","takesIdempotencyKey":true} as unknown as Calls['listsToNewDraft'];
export const getContactSummary = {"method":"GET","path":"/draft-broadcasts/:DraftBroadcastID/contactsummary","allow":"seeBroadcasts"} as unknown as Calls['getContactSummary'];
export const setFrequencyAside = {"method":"POST","path":"/draft-broadcasts/:DraftBroadcastID/frequency","allow":"manageBroadcasts"} as unknown as Calls['setFrequencyAside'];
export const downloadLeftOut = {"method":"GET","path":"/draft-broadcasts/:DraftBroadcastID/leftout.csv","allow":"seeBroadcasts"} as unknown as Calls['downloadLeftOut'];
export const getPreflight = {"method":"GET","path":"/draft-broadcasts/:DraftBroadcastID/preflight","allow":"seeBroadcasts"} as unknown as Calls['getPreflight'];
export const sendTest = {"method":"POST","path":"/draft-broadcasts/:DraftBroadcastID/test","allow":"createTextBroadcast","takesIdempotencyKey":true} as unknown as Calls['sendTest'];
export const mergeDraft = {"method":"POST","path":"/draft-broadcasts/:DraftBroadcastID/templatemerges","allow":"manageBroadcasts"} as unknown as Calls['mergeDraft'];
export const createTemplateMerge = {"method":"POST","path":"/template-merges","allow":"manageBroadcasts"} as unknown as Calls['createTemplateMerge'];
export const getTemplateMerge = {"method":"GET","path":"/template-merges/:TemplateMergeID","allow":"seeBroadcasts"} as unknown as Calls['getTemplateMerge'];
export const listMergedMessages = {"method":"GET","path":"/template-merges/:TemplateMergeID/messages","allow":"seeBroadcasts"} as unknown as Calls['listMergedMessages'];
export const updateMergedMessages = {"method":"PUT","path":"/template-merges/:TemplateMergeID/messages","allow":"manageBroadcasts"} as unknown as Calls['updateMergedMessages'];
export const mergeSingle = {"method":"POST","path":"/draft-broadcasts/:DraftBroadcastID/templatemerge/single","allow":"seeBroadcasts"} as unknown as Calls['mergeSingle'];
export const mergeSingleOfBroadcast = {"method":"POST","path":"/broadcasts/:BroadcastID/templatemerge/single","allow":"seeBroadcasts"} as unknown as Calls['mergeSingleOfBroadcast'];
