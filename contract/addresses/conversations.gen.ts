// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['conversations'];

export const listConversations = {"method":"GET","path":"/conversations","allow":"readConversations"} as unknown as Calls['listConversations'];
export const getConversation = {"method":"GET","path":"/conversations/:ConversationID","allow":"readConversations"} as unknown as Calls['getConversation'];
export const createConversation = {"method":"POST","path":"/conversations","allow":"createConversation","takesIdempotencyKey":true} as unknown as Calls['createConversation'];
export const previewMerge = {"method":"POST","path":"/templatemerges/contacts/preview","allow":"createConversation"} as unknown as Calls['previewMerge'];
export const updateConversation = {"method":"PUT","path":"/conversations/:ConversationID","allow":"manageConversations"} as unknown as Calls['updateConversation'];
export const updateConversations = {"method":"PUT","path":"/conversations","allow":"manageConversations"} as unknown as Calls['updateConversations'];
export const undoConversations = {"method":"POST","path":"/conversations/undo/:UndoID","allow":"manageConversations"} as unknown as Calls['undoConversations'];
export const viewConversation = {"method":"POST","path":"/conversations/:ConversationID/views","allow":"manageConversations"} as unknown as Calls['viewConversation'];
export const getConversationsSummary = {"method":"GET","path":"/conversations/summary","allow":"readConversations"} as unknown as Calls['getConversationsSummary'];
export const listDoneToday = {"method":"GET","path":"/conversations/donetoday","allow":"readConversations"} as unknown as Calls['listDoneToday'];
export const listTextMessages = {"method":"GET","path":"/conversations/:ConversationID/textmessages","allow":"readConversations"} as unknown as Calls['listTextMessages'];
export const sendTextMessage = {"method":"POST","path":"/conversations/:ConversationID/textmessages","allow":"replyInConversation","takesIdempotencyKey":true} as unknown as Calls['sendTextMessage'];
export const getTextMessage = {"method":"GET","path":"/textmessages/:TextMessageID","allow":"readConversations"} as unknown as Calls['getTextMessage'];
export const resendTextMessage = {"method":"PUT","path":"/textmessages/:TextMessageID","allow":"replyInConversation","takesIdempotencyKey":true} as unknown as Calls['resendTextMessage'];
export const markConversationUnread = {"method":"POST","path":"/conversations/:ConversationID/unread","allow":"manageConversations"} as unknown as Calls['markConversationUnread'];
export const moveConversations = {"method":"POST","path":"/conversations/selection","allow":"manageConversations"} as unknown as Calls['moveConversations'];
export const getSignatureSetting = {"method":"GET","path":"/conversations/:ConversationID/signaturesetting","allow":"readConversations"} as unknown as Calls['getSignatureSetting'];
export const updateSignatureSetting = {"method":"PUT","path":"/conversations/:ConversationID/signaturesetting","allow":"manageConversations"} as unknown as Calls['updateSignatureSetting'];
export const listTags = {"method":"GET","path":"/conversations/tags","allow":"readConversations"} as unknown as Calls['listTags'];
export const addTag = {"method":"POST","path":"/conversations/tags","allow":"manageConversations","takesIdempotencyKey":true} as unknown as Calls['addTag'];
export const updateTag = {"method":"PUT","path":"/conversations/tags/:TagID","allow":"manageConversations"} as unknown as Calls['updateTag'];
export const deleteTag = {"method":"DELETE","path":"/conversations/tags/:TagID","allow":"deleteTags"} as unknown as Calls['deleteTag'];
export const listNotes = {"method":"GET","path":"/conversations/:ConversationID/notes","allow":"readConversations"} as unknown as Calls['listNotes'];
export const addNote = {"method":"POST","path":"/conversations/:ConversationID/notes","allow":"manageConversations","takesIdempotencyKey":true} as unknown as Calls['addNote'];
export const updateNote = {"method":"PUT","path":"/conversations/:ConversationID/notes/:NoteID","allow":"manageConversations"} as unknown as Calls['updateNote'];
export const deleteNote = {"method":"DELETE","path":"/conversations/:ConversationID/notes/:NoteID","allow":"manageConversations"} as unknown as Calls['deleteNote'];
