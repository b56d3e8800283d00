import * as autoReplyCalls from '../../contract/auto-replies.ts';
import * as keywordCalls from '../../contract/keywords.ts';
import { type App, serve } from '../serve.ts';
import { addAutoReply, deleteAutoReply, requireTextNumbers, updateAutoReply } from './change-auto-replies.ts';
import { addKeyword, deleteKeyword, updateKeyword } from './change-keywords.ts';
import { listAutoReplyRows, listKeywordRows } from './queries.ts';

export function replyRoutes(app: App): void {
  serve(app, autoReplyCalls.listAutoReplies, async (trx, actor, { query }) =>
    listAutoReplyRows(trx, actor, actor.textNumberIds, {
      q: query.q,
      limit: query.pagesize,
      offset: (query.page - 1) * query.pagesize,
    }),
  );
  serve(app, autoReplyCalls.addAutoReply, addAutoReply);
  serve(app, autoReplyCalls.updateAutoReply, updateAutoReply);
  serve(app, autoReplyCalls.deleteAutoReply, deleteAutoReply);
  serve(app, autoReplyCalls.listAutoRepliesOfNumber, async (trx, actor, { params }) => {
    const usableIds = requireTextNumbers(actor, [params.TextNumberID]);
    return listAutoReplyRows(trx, actor, usableIds, { textNumberId: params.TextNumberID });
  });

  serve(app, keywordCalls.listKeywords, async (trx, actor, { query }) =>
    listKeywordRows(trx, actor, actor.textNumberIds, {
      q: query.q,
      limit: query.pagesize,
      offset: (query.page - 1) * query.pagesize,
      ...(query.textNumberId === undefined ? {} : { textNumberId: query.textNumberId }),
    }),
  );
  serve(app, keywordCalls.addKeyword, addKeyword);
  serve(app, keywordCalls.updateKeyword, updateKeyword);
  serve(app, keywordCalls.deleteKeyword, deleteKeyword);
}
