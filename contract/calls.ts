import { getAccount, getUser } from './accounts.ts';
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
import type { CallDefinition } from './call.ts';
import { listContacts } from './contacts.ts';
import {
  createConversation,
  getConversation,
  getConversationsSummary,
  listConversations,
  listTextMessages,
  sendTextMessage,
  undoConversations,
  updateConversation,
  updateConversations,
  viewConversation,
} from './conversations.ts';
import { getHome } from './home.ts';
import { uploadImage } from './media.ts';
import { getTextNumber, listTextNumbers } from './numbers.ts';

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
  accounts: { getAccount, getUser },
  home: { getHome },
  numbers: { listTextNumbers, getTextNumber },
  contacts: { listContacts },
  conversations: {
    listConversations,
    getConversation,
    createConversation,
    updateConversation,
    updateConversations,
    undoConversations,
    viewConversation,
    getConversationsSummary,
    listTextMessages,
    sendTextMessage,
  },
  media: { uploadImage },
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
