import * as calls from '../../contract/scheduled.ts';
import { type App, serve } from '../serve.ts';
import { getScheduled, listScheduled } from './queries.ts';
import { scheduleConversation, updateScheduledConversation } from './schedule-conversation.ts';
import { cancelScheduledConversation, sendScheduledConversation } from './send-scheduled.ts';

export function scheduledRoutes(app: App): void {
  serve(app, calls.scheduleConversation, scheduleConversation);
  serve(app, calls.listScheduledConversations, (trx, actor, { query }) => listScheduled(trx, actor, query));
  serve(app, calls.getScheduledConversation, (trx, actor, { params }) =>
    getScheduled(trx, actor, params.ScheduledConversationID),
  );
  serve(app, calls.updateScheduledConversation, updateScheduledConversation);
  serve(app, calls.sendScheduledConversation, sendScheduledConversation);
  serve(app, calls.cancelScheduledConversation, cancelScheduledConversation);
}
