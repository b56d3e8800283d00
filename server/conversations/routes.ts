import { previewMerge as previewMergeCall } from '../../contract/compose.ts';
import { listContactHistory as contactHistoryCall } from '../../contract/contacts.ts';
import * as calls from '../../contract/conversations.ts';
import * as noteCalls from '../../contract/notes.ts';
import * as signatureCalls from '../../contract/signature-settings.ts';
import * as tagCalls from '../../contract/tags.ts';
import * as textCalls from '../../contract/text-messages.ts';
import { type App, serve } from '../serve.ts';
import { addNote, deleteNote, listNotes, updateNote } from './change/change-notes.ts';
import { addTag, deleteTag, listTags, updateTag } from './change/change-tags.ts';
import { markConversationUnread } from './change/mark-conversation-unread.ts';
import { moveConversations } from './change/move-conversations.ts';
import { undoConversations } from './change/undo-conversations.ts';
import { updateConversation, updateConversations } from './change/update-conversations.ts';
import { getSignatureSetting, updateSignatureSetting } from './change/update-signature-setting.ts';
import { viewConversation } from './change/view-conversation.ts';
import { listContactHistory } from './list/list-contact-history.ts';
import { listConversations } from './list/list-conversations.ts';
import { listDoneToday } from './list/list-done-today.ts';
import { listTextMessages } from './list/list-text-messages.ts';
import { summarizeConversations } from './list/summarize-conversations.ts';
import { requireConversation } from './queries.ts';
import { createConversation } from './texts/create-conversation.ts';
import { getTextMessage } from './texts/get-text-message.ts';
import { previewMerge } from './texts/preview-merge.ts';
import { resendTextMessage } from './texts/resend-text-message.ts';
import { sendTextMessage } from './texts/send-text-message.ts';

export function conversationRoutes(app: App): void {
  serve(app, calls.listConversations, listConversations);
  serve(app, calls.createConversation, createConversation);
  serve(app, previewMergeCall, previewMerge);
  serve(app, calls.updateConversations, updateConversations);
  serve(app, calls.moveConversations, moveConversations);
  serve(app, calls.undoConversations, undoConversations);

  serve(app, calls.getConversationsSummary, async (trx, actor, { query }) => {
    const usable = actor.textNumberIds;
    const numbers =
      query.textNumberId === undefined ? usable : usable.filter((id) => id === query.textNumberId);
    return summarizeConversations(trx, actor, numbers);
  });

  serve(app, calls.listDoneToday, listDoneToday);
  serve(app, contactHistoryCall, listContactHistory);

  serve(app, calls.getConversation, (trx, actor, { params }) =>
    requireConversation(trx, actor, params.ConversationID),
  );
  serve(app, calls.updateConversation, updateConversation);
  serve(app, calls.viewConversation, viewConversation);
  serve(app, calls.markConversationUnread, markConversationUnread);
  serve(app, signatureCalls.getSignatureSetting, getSignatureSetting);
  serve(app, signatureCalls.updateSignatureSetting, updateSignatureSetting);

  serve(app, calls.listTextMessages, listTextMessages);
  serve(app, calls.sendTextMessage, sendTextMessage);
  serve(app, textCalls.getTextMessage, getTextMessage);
  serve(app, textCalls.resendTextMessage, resendTextMessage);

  serve(app, tagCalls.listTags, listTags);
  serve(app, tagCalls.addTag, addTag);
  serve(app, tagCalls.updateTag, updateTag);
  serve(app, tagCalls.deleteTag, deleteTag);

  serve(app, noteCalls.listNotes, listNotes);
  serve(app, noteCalls.addNote, addNote);
  serve(app, noteCalls.updateNote, updateNote);
  serve(app, noteCalls.deleteNote, deleteNote);
}
