// Written by "npm run generate" from contract/calls.ts. A page sends by these; the schemas stay with the server.
import type { calls } from '../calls.ts';

type Calls = (typeof calls)['scheduled'];

export const scheduleConversation = {"method":"POST","path":"/conversations/schedule","allow":"createConversation","takesIdempotencyKey":true} as unknown as Calls['scheduleConversation'];
export const listScheduledConversations = {"method":"GET","path":"/scheduledConversations","allow":"readConversations"} as unknown as Calls['listScheduledConversations'];
export const getScheduledConversation = {"method":"GET","path":"/scheduledConversations/:ScheduledConversationID","allow":"readConversations"} as unknown as Calls['getScheduledConversation'];
export const updateScheduledConversation = {"method":"PUT","path":"/scheduledConversations/:ScheduledConversationID","allow":"createConversation"} as unknown as Calls['updateScheduledConversation'];
export const sendScheduledConversation = {"method":"POST","path":"/scheduledConversations/:ScheduledConversationID/sendNow","allow":"createConversation"} as unknown as Calls['sendScheduledConversation'];
export const cancelScheduledConversation = {"method":"POST","path":"/scheduledConversations/:ScheduledConversationID/cancel","allow":"manageConversations"} as unknown as Calls['cancelScheduledConversation'];
