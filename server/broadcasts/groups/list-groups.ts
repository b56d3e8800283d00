import type { Input } from '../../../contract/call.ts';
import {
  type listReplyGroups as definition,
  fixedGroupKeys,
  type GroupKey,
  type listGroupReplies as repliesDefinition,
  replyGroupLimits,
} from '../../../contract/reply-groups.ts';
import { asAccount, type Trx } from '../../db.ts';
import type { Actor, App } from '../../serve.ts';
import { countReplies, readReplies, toReply } from '../results/list-replies.ts';
import { requireBroadcast, type SeenBroadcast } from '../results/read-broadcast.ts';
import { compareGroups, type Grouping, groupReplies, inTurns } from './group-replies.ts';
import { type ReplyState, readReplyStates, readReplyTexts } from './queries.ts';
import { groupExplanation, groupName, languageOf } from './rules.ts';

/** The groups of a broadcast's replies. No transaction is open while they are computed. */
export async function listReplyGroups(app: App, actor: Actor, { params }: Input<typeof definition>) {
  const { states, grouping, total } = await readGroups(app, actor, params.BroadcastID);
  const groups = new Map<GroupKey, ReplyState[]>();
  for (const state of states) {
    const key = keyOf(state, grouping);
    const members = groups.get(key);
    if (members === undefined) groups.set(key, [state]);
    else members.push(state);
  }
  const Items = [...groups]
    .map(([key, members]) => ({ key, members, size: members.length }))
    .sort(compareGroups)
    .map(({ key, members, size }) => {
      const words = grouping.words.get(key);
      const open = members.filter(canBeAnswered);
      return {
        GroupKey: key,
        Name: groupName(key, words),
        Explanation: groupExplanation(key, words),
        Size: size,
        ToAnswer: new Set(open.map(({ phone }) => phone)).size,
        TextReplyIDs: open.slice(0, replyGroupLimits.answeredAtOnce).map(({ id }) => id),
      };
    });
  return {
    Items,
    EmptyGroups: fixedGroupKeys
      .filter((key) => !groups.has(key))
      .map((key) => ({ GroupKey: key, Name: groupName(key, undefined) })),
    Size: Math.max(total, states.length),
    GroupedCount: states.length,
    PeopleCount: new Set(states.map(({ phone }) => phone)).size,
  };
}

/** A page of one group, newest first. */
export async function listGroupReplies(
  app: App,
  actor: Actor,
  { params, query }: Input<typeof repliesDefinition>,
) {
  const { broadcast, states, grouping } = await readGroups(app, actor, params.BroadcastID);
  const members = states.filter((state) => keyOf(state, grouping) === query.group);
  const shown = members.slice((query.page - 1) * query.pagesize, query.page * query.pagesize);
  const rows = await asAccount(app.database, actor.accountId, (trx) =>
    readReplies(trx, actor, broadcast, {
      ...{ q: '', answer: undefined, after: undefined, offset: 0 },
      ids: shown.map(({ id }) => id),
      limit: query.pagesize,
    }),
  );
  const stateOf = new Map(shown.map((state) => [state.id, state]));
  return {
    Items: rows.map((row) => {
      const state = stateOf.get(row.TextReplyID);
      const also = grouping.places.get(row.TextReplyID)?.also ?? [];
      return {
        ...toReply(row, broadcast),
        AlsoIn: also
          .filter((key) => key !== query.group)
          .map((key) => groupName(key, grouping.words.get(key))),
        IsMoved: state?.movedTo != null,
        IsAnswered: state?.isAnswered ?? false,
        AnswerBroadcastID: state?.answerBroadcastId ?? null,
      };
    }),
    Size: members.length,
  };
}

function canBeAnswered({ isAnswered, isOptedOut }: ReplyState): boolean {
  return !isAnswered && !isOptedOut;
}

/** The group that a user chose, otherwise the one it was answered in, otherwise the one by its words. */
function keyOf({ id, movedTo, answeredIn }: ReplyState, { places }: Grouping): GroupKey {
  return movedTo ?? answeredIn ?? places.get(id)?.key ?? 'rest';
}

/**
 * The cached groupings of the broadcasts that people are viewing. One takes a megabyte for ten thousand
 * replies.
 */
const kept = new Map<string, { of: string; grouping: Promise<Grouping> }>();
const mostKept = 8;

async function readGroups(app: App, actor: Actor, broadcastId: number) {
  const read = await asAccount(app.database, actor.accountId, (trx) => readStates(trx, actor, broadcastId));
  const { broadcast, states, knownKeys } = read;
  const name = `${broadcast.accountId} ${broadcastId}`;
  const of = `${states.length} ${states[0]?.id ?? 0} ${knownKeys.join(' ')}`;
  const before = kept.get(name);
  const grouping = before?.of === of ? before.grouping : computeGrouping(app, read);
  // Moved to the end: the one viewed longest ago is dropped.
  kept.delete(name);
  kept.set(name, { of, grouping });
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  try {
    return { ...read, grouping: await grouping };
  } catch (error) {
    kept.delete(name);
    throw error;
  }
}

async function readStates(trx: Trx, actor: Actor, broadcastId: number) {
  const broadcast = await requireBroadcast(trx, actor, broadcastId);
  const states = await readReplyStates(trx, broadcast);
  // Groups that people have used stay, under their name.
  const used = states.flatMap(({ movedTo, answeredIn }) =>
    [movedTo, answeredIn].filter((key) => key !== null),
  );
  const total =
    states.length < replyGroupLimits.grouped
      ? states.length
      : await countReplies(trx, broadcast, { q: '', answer: undefined });
  return { broadcast, states, knownKeys: [...new Set(used)].sort(), total };
}

async function computeGrouping(
  { database }: App,
  { broadcast, states, knownKeys }: { broadcast: SeenBroadcast; states: ReplyState[]; knownKeys: string[] },
): Promise<Grouping> {
  const { texts, asked } = await asAccount(database, broadcast.accountId, (trx) =>
    readReplyTexts(
      trx,
      broadcast,
      states.map(({ id }) => id),
    ),
  );
  return inTurns(groupReplies(texts, { home: languageOf(asked ?? ''), knownKeys }));
}
