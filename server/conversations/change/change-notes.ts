import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { Refusal } from '../../../contract/errors.ts';
import type {
  addNote as addDefinition,
  deleteNote as deleteDefinition,
  listNotes as listDefinition,
  Note,
  updateNote as updateDefinition,
} from '../../../contract/notes.ts';
import { may } from '../../access/refuse-unless.ts';
import { readCursor, writeCursor } from '../../cursor.ts';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { requireThread } from '../queries.ts';

interface NoteRow extends Omit<Note, 'CreateTimestamp' | 'EditTimestamp'> {
  CreateTimestamp: Date;
  EditTimestamp: Date | null;
}

async function selectNotes(
  trx: Trx,
  actor: Actor,
  conversationId: number,
  { narrower, limit }: { narrower: ReturnType<typeof sql>; limit: number },
): Promise<NoteRow[]> {
  const { rows } = await sql<NoteRow>`
    select n.note_id as "NoteID", n.kind as "Kind", n.body as "Note",
      json_build_object('UserID', n.user_id, 'Name', coalesce(u.first_name || ' ' || u.last_name, '')) as "User",
      case when a.user_id is null then null else
        json_build_object('UserID', a.user_id, 'Name', a.first_name || ' ' || a.last_name) end as "AssignedTo",
      n.created_at as "CreateTimestamp", n.edited_at as "EditTimestamp",
      n.kind <> 'note' or (n.user_id <> ${actor.userId} and ${!may(actor, 'changeOthersNotes')}) as "ReadOnly"
    from conversation_notes n
    left join users u on u.account_id = n.account_id and u.user_id = n.user_id
    left join users a on a.account_id = n.account_id and a.user_id = n.assigned_user_id
    where n.account_id = ${actor.accountId} and n.conversation_id = ${conversationId} and ${narrower}
    order by n.note_id desc limit ${limit}`.execute(trx);
  return rows;
}

export async function listNotes(trx: Trx, actor: Actor, { params, query }: Input<typeof listDefinition>) {
  const { conversationId } = await requireThread(trx, actor, params.ConversationID);
  const beyond = query.next === undefined ? sql`true` : sql`n.note_id < ${readCursor(query.next).id}`;
  const rows = await selectNotes(trx, actor, conversationId, { narrower: beyond, limit: query.pagesize + 1 });
  const Items = rows.slice(0, query.pagesize);
  const last = Items.at(-1);
  const Next =
    rows.length > query.pagesize && last !== undefined
      ? writeCursor({ at: last.CreateTimestamp.toISOString(), id: last.NoteID })
      : null;
  return { Items, Next };
}

export async function addNote(trx: Trx, actor: Actor, { params, body }: Input<typeof addDefinition>) {
  const { conversationId } = await requireThread(trx, actor, params.ConversationID);
  const { note_id } = await trx
    .insertInto('conversation_notes')
    .values({
      account_id: actor.accountId,
      conversation_id: conversationId,
      user_id: actor.userId,
      body: body.Note,
    })
    .returning('note_id')
    .executeTakeFirstOrThrow();
  return told(trx, actor, conversationId, note_id);
}

export async function updateNote(trx: Trx, actor: Actor, { params, body }: Input<typeof updateDefinition>) {
  const conversationId = await requireOwnNote(trx, actor, params);
  await trx
    .updateTable('conversation_notes')
    .set({ body: body.Note, edited_at: sql`now()` })
    .where('account_id', '=', actor.accountId)
    .where('note_id', '=', params.NoteID)
    .execute();
  return told(trx, actor, conversationId, params.NoteID);
}

export async function deleteNote(trx: Trx, actor: Actor, { params }: Input<typeof deleteDefinition>) {
  const conversationId = await requireOwnNote(trx, actor, params);
  await trx
    .deleteFrom('conversation_notes')
    .where('account_id', '=', actor.accountId)
    .where('note_id', '=', params.NoteID)
    .execute();
  await notify(trx, actor.accountId, [{ type: 'notes.changed', ConversationID: conversationId }]);
  return {};
}

async function told(trx: Trx, actor: Actor, conversationId: number, noteId: number): Promise<NoteRow> {
  await notify(trx, actor.accountId, [{ type: 'notes.changed', ConversationID: conversationId }]);
  return requireNote(trx, actor, conversationId, noteId);
}

async function requireNote(trx: Trx, actor: Actor, conversationId: number, noteId: number): Promise<NoteRow> {
  const [note] = await selectNotes(trx, actor, conversationId, {
    narrower: sql`n.note_id = ${noteId}`,
    limit: 1,
  });
  if (note === undefined) throw new Refusal('notFound', 'That note is no longer here.');
  return note;
}

/** A note that this actor may change; returns its conversation. */
async function requireOwnNote(
  trx: Trx,
  actor: Actor,
  params: { ConversationID: number; NoteID: number },
): Promise<number> {
  const { conversationId } = await requireThread(trx, actor, params.ConversationID);
  const note = await requireNote(trx, actor, conversationId, params.NoteID);
  if (note.Kind !== 'note') {
    throw new Refusal('refused', 'The history of a conversation can’t be changed.');
  }
  if (note.ReadOnly) {
    throw new Refusal('refused', 'Only the person who wrote a note, or an admin, can change it.');
  }
  return conversationId;
}
