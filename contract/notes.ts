import { z } from 'zod';
import { call, id, moment } from './call.ts';
import { isBlank } from './fields/rule.ts';
import { nextList } from './list.ts';

/** Ours. */
export const noteLength = 2000;

const person = z.object({ UserID: z.number().int(), Name: z.string() });

/**
 * Internal notes of the team in a conversation, and a record of what was done with it. They are never sent to
 * anybody.
 */
const note = z.object({
  NoteID: z.number().int(),
  /** assigned, unassigned and moved are written automatically. */
  Kind: z.enum(['note', 'assigned', 'unassigned', 'moved']),
  Note: z.string(),
  User: person,
  AssignedTo: person.nullable(),
  CreateTimestamp: moment,
  EditTimestamp: moment.nullable(),
  /** False for those who may change it: its author and admins. */
  ReadOnly: z.boolean(),
});
export type Note = z.output<typeof note>;

const text = z
  .string()
  .trim()
  .min(1, 'Enter a Note')
  .max(noteLength, `Note must be at most ${noteLength} characters`)
  .refine((note) => !isBlank(note), 'Enter a Note');

const noteParams = z.object({ ConversationID: id, NoteID: id });

export const listNotes = call({
  method: 'GET',
  path: '/conversations/:ConversationID/notes',
  summary: 'Lists the notes of a conversation, newest first.',
  allow: 'readConversations',
  params: z.object({ ConversationID: id }),
  query: z.object({
    pagesize: z.coerce.number().int().min(1).max(100).default(50),
    next: z.string().max(400).optional(),
  }),
  reply: nextList(note),
  errors: ['notFound'],
});

export const addNote = call({
  method: 'POST',
  path: '/conversations/:ConversationID/notes',
  summary: 'Adds a note to a conversation. Only the team sees it.',
  allow: 'manageConversations',
  event: 'note.created',
  takesIdempotencyKey: true,
  params: z.object({ ConversationID: id }),
  body: z.object({ Note: text }),
  reply: note,
  errors: ['notFound', 'keyReused'],
});

export const updateNote = call({
  method: 'PUT',
  path: '/conversations/:ConversationID/notes/:NoteID',
  summary: 'Updates a note.',
  allow: 'manageConversations',
  event: 'note.updated',
  params: noteParams,
  body: z.object({ Note: text }),
  reply: note,
  errors: ['notFound', 'refused'],
});

export const deleteNote = call({
  method: 'DELETE',
  path: '/conversations/:ConversationID/notes/:NoteID',
  summary: 'Deletes a note.',
  allow: 'manageConversations',
  event: 'note.deleted',
  params: noteParams,
  reply: z.object({}),
  errors: ['notFound', 'refused'],
});
