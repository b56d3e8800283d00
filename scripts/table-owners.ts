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
  // The pair of keys for web push is made when it is first asked for.
  installation: ['auth', 'notifications'],
  text_numbers: 'numbers',
  // An import writes slices of twenty thousand contacts with their memberships, counts, words and consents, as sets
  // of its own; no verb of the owner takes so many.
  contacts: ['contacts', 'imports'],
  groups: 'contacts',
  group_members: ['contacts', 'imports'],
  consent_ledger: ['consents', 'imports'],
  phone_consents: ['consents', 'imports'],
  phone_lookups: 'consents',
  custom_fields: 'contacts',
  list_counts: ['contacts', 'imports'],
  contact_search: ['contacts', 'imports'],
  // Kept by the triggers on contact_search.
  contact_words: 'contacts',
  known_words: 'contacts',
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
  tags: 'conversations',
  // Kept by the triggers on conversations.
  conversation_tags: 'conversations',
  conversation_phones: 'conversations',
  conversation_counts: 'conversations',
  conversation_count_changes: 'conversations',
  conversation_notes: 'conversations',
  conversation_signatures: 'conversations',
  broadcast_replies: 'conversations',
  // A broadcast is a draft first. Feeding makes texts of recipients and counts them in the same statement.
  broadcasts: ['broadcasts', 'drafts'],
  broadcast_recipients: ['broadcasts', 'drafts'],
  broadcast_sources: 'drafts',
  broadcast_zones: 'broadcasts',
  // Texts and the counts of the slice they stand in change in the same statement.
  broadcast_slices: ['broadcasts', 'messages'],
  broadcast_samples: 'broadcasts',
  repeating_broadcasts: 'broadcasts',
  repeating_failures: 'broadcasts',
  labels: 'broadcasts',
  broadcast_labels: 'broadcasts',
  verified_phones: 'accounts',
  message_search: 'conversations',
  // Filled by the trigger on messages, emptied with the words taken in.
  message_search_queue: 'conversations',
  auto_replies: 'replies',
  auto_reply_numbers: 'replies',
  keywords: 'replies',
  keyword_numbers: 'replies',
  // Swept by the clock.
  reply_stamps: ['replies', 'server'],
  scheduled_conversations: 'scheduled',
  scheduled_recipients: 'scheduled',
  templates: 'templates',
  template_favorites: 'templates',
  notification_settings: 'notifications',
  push_tokens: 'notifications',
  push_queue: 'notifications',
  // Swept by the clock.
  mails: ['notifications', 'server'],
  // Feeding makes a broadcast's texts in the statement that takes their recipients, and hands them over at once.
  messages: ['messages', 'broadcasts'],
  outbox: 'messages',
  outbox_slices: ['messages', 'broadcasts'],
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
  undo_sets: 'server',
  migrations: 'server',
};
