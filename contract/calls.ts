import { getAccount, getUser, listAccountUsers, updateAccount, updateUser } from './accounts.ts';
import {
  createOrganization,
  getSetup,
  getSocketKey,
  listSessions,
  login,
  logout,
  replaceExpiredPassword,
  revokeSession,
} from './auth.ts';
import {
  addAutoReply,
  deleteAutoReply,
  listAutoReplies,
  listAutoRepliesOfNumber,
  updateAutoReply,
} from './auto-replies.ts';
import type { CallDefinition } from './call.ts';
import { previewMerge } from './compose.ts';
import {
  changeConsent,
  downloadConsentEvents,
  downloadOptOuts,
  getPhoneNumber,
  listConsentEvents,
  listOptOuts,
  lookUpPhoneNumbers,
  undoConsent,
  validatePhoneNumber,
} from './consents.ts';
import {
  addContact,
  addCustomField,
  copyContacts,
  deleteContact,
  deleteCustomField,
  downloadExport,
  exportContacts,
  getContact,
  listContactHistory,
  listContacts,
  listCustomFields,
  listDuplicates,
  mergeContacts,
  removeContacts,
  undoContacts,
  updateContact,
  updateContacts,
  updateCustomField,
} from './contacts.ts';
import {
  createConversation,
  getConversation,
  getConversationsSummary,
  listConversations,
  listTextMessages,
  markConversationUnread,
  moveConversations,
  sendTextMessage,
  undoConversations,
  updateConversation,
  updateConversations,
  viewConversation,
} from './conversations.ts';
import { getHome } from './home.ts';
import {
  cancelFile,
  downloadRejectedRows,
  getFile,
  importFile,
  listFileRows,
  listFiles,
  mendFileRows,
  pasteContacts,
  processFile,
  undoFile,
  uploadFile,
} from './imports.ts';
import { addKeyword, deleteKeyword, listKeywords, updateKeyword } from './keywords.ts';
import { addList, countSegment, deleteList, getList, listLists, updateList } from './lists.ts';
import { classifyMedia, uploadImage } from './media.ts';
import { addNote, deleteNote, listNotes, updateNote } from './notes.ts';
import { addPushToken, deletePushToken, listNotifications } from './notifications.ts';
import {
  getTextNumber,
  listTextNumbers,
  listTextNumberUsage,
  updateTextNumber,
  updateTextNumbers,
} from './numbers.ts';
import {
  cancelScheduledConversation,
  getScheduledConversation,
  listScheduledConversations,
  scheduleConversation,
  sendScheduledConversation,
  updateScheduledConversation,
} from './scheduled.ts';
import { getSignatureSetting, updateSignatureSetting } from './signature-settings.ts';
import { addTag, deleteTag, listTags, updateTag } from './tags.ts';
import {
  addTemplate,
  deleteTemplate,
  listTemplates,
  noteTemplateUse,
  undoTemplates,
  updateTemplate,
} from './templates.ts';
import { getTextMessage, resendTextMessage } from './text-messages.ts';
import { getWork, listWork } from './work.ts';

/** Every call of the product, by name and domain. What isn't here doesn't exist. */
export const calls = {
  auth: {
    login,
    replaceExpiredPassword,
    logout,
    getSetup,
    createOrganization,
    listSessions,
    revokeSession,
    getSocketKey,
  },
  accounts: { getAccount, getUser, updateAccount, updateUser, listAccountUsers },
  home: { getHome },
  numbers: { listTextNumbers, getTextNumber, updateTextNumber, updateTextNumbers, listTextNumberUsage },
  notifications: { listNotifications, addPushToken, deletePushToken },
  contacts: {
    listContacts,
    addContact,
    getContact,
    updateContact,
    deleteContact,
    listContactHistory,
    copyContacts,
    removeContacts,
    updateContacts,
    undoContacts,
    listDuplicates,
    mergeContacts,
    getWork,
    listWork,
    listLists,
    getList,
    addList,
    updateList,
    deleteList,
    countSegment,
    listCustomFields,
    addCustomField,
    updateCustomField,
    deleteCustomField,
    exportContacts,
    downloadExport,
  },
  conversations: {
    listConversations,
    getConversation,
    createConversation,
    previewMerge,
    updateConversation,
    updateConversations,
    undoConversations,
    viewConversation,
    getConversationsSummary,
    listTextMessages,
    sendTextMessage,
    getTextMessage,
    resendTextMessage,
    markConversationUnread,
    moveConversations,
    getSignatureSetting,
    updateSignatureSetting,
    listTags,
    addTag,
    updateTag,
    deleteTag,
    listNotes,
    addNote,
    updateNote,
    deleteNote,
  },
  scheduled: {
    scheduleConversation,
    listScheduledConversations,
    getScheduledConversation,
    updateScheduledConversation,
    sendScheduledConversation,
    cancelScheduledConversation,
  },
  templates: {
    listTemplates,
    addTemplate,
    updateTemplate,
    noteTemplateUse,
    deleteTemplate,
    undoTemplates,
  },
  consents: {
    listOptOuts,
    downloadOptOuts,
    listConsentEvents,
    downloadConsentEvents,
    changeConsent,
    undoConsent,
    getPhoneNumber,
    lookUpPhoneNumbers,
    validatePhoneNumber,
  },
  imports: {
    uploadFile,
    listFiles,
    getFile,
    processFile,
    listFileRows,
    mendFileRows,
    downloadRejectedRows,
    importFile,
    cancelFile,
    undoFile,
    pasteContacts,
  },
  replies: {
    listAutoReplies,
    addAutoReply,
    updateAutoReply,
    deleteAutoReply,
    listAutoRepliesOfNumber,
    listKeywords,
    addKeyword,
    updateKeyword,
    deleteKeyword,
  },
  media: { uploadImage, classifyMedia },
} as const satisfies Record<string, Record<string, CallDefinition>>;

export interface NamedCall {
  domain: string;
  name: string;
  call: CallDefinition;
}

export const everyCall: readonly NamedCall[] = Object.entries(calls).flatMap(([domain, ofDomain]) =>
  Object.entries(ofDomain).map(([name, call]) => ({ domain, name, call: call as CallDefinition })),
);

/** Where a call is served: before sign-in under one prefix, with the session cookie under the other. */
export const publicPrefix = '/proxy/public';
export const authorizedPrefix = '/proxy/api';

export function prefixOf(call: CallDefinition): string {
  return call.allow === 'public' ? publicPrefix : authorizedPrefix;
}
