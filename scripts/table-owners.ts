/**
 * Which folder of server/ writes a table; `server` stands for the files at its top. Any slice may read any table,
 * another slice that wants one changed calls the owner's verb. A second owner needs a reason beside it.
 */
export const tableOwners: Record<string, string | string[]> = {
  // The credit balance stands on the account's row and moves in the statement that moves the credits.
  accounts: ['accounts', 'billing', 'messages'],
  users: ['accounts', 'auth'],
  user_text_numbers: 'accounts',
  sessions: ['auth', 'server'],
  sign_in_attempts: ['auth', 'server'],
  installation: 'auth',
  text_numbers: 'numbers',
  // An import writes slices of twenty thousand contacts with their memberships, counts, words and consents, as sets
  // of its own; no verb of the owner takes so many.
  contacts: ['contacts', 'imports'],
  groups: 'contacts',
  group_members: ['contacts', 'imports'],
  consent_events: ['consents', 'imports'],
  phone_consents: ['consents', 'imports'],
  phone_lookups: 'consents',
  custom_fields: 'contacts',
  list_counts: ['contacts', 'imports'],
  contact_search: ['contacts', 'imports'],
  search_backlog: ['contacts', 'imports'],
  // Swept by the clock like undos and keys.
  exports: ['contacts', 'server'],
  work: ['contacts', 'server'],
  file_uploads: 'imports',
  file_rows: 'imports',
  file_slices: 'imports',
  file_changes: 'imports',
  file_shapes: 'imports',
  conversations: 'conversations',
  conversation_views: 'conversations',
  messages: 'messages',
  outbox: 'messages',
  carrier_receipts: 'messages',
  carrier_inbound: 'messages',
  daily_texts: 'messages',
  media: 'media',
  // Noted with the message that brings it, fetched by media.
  inbound_media: ['messages', 'media'],
  // A set of messages is claimed or recorded together with its credits, in the same statement.
  credit_entries: ['billing', 'messages'],
  idempotency_keys: 'server',
  undos: 'server',
  undo_rows: 'server',
  migrations: 'server',
};
