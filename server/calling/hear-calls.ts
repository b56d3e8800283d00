import { randomUUID } from 'node:crypto';
import { leadProvider, leaveProvider } from '../calls/lead-provider.ts';
import type { CallEar, CallProvider } from '../outside/calls.ts';
import type { PlacingContext } from './place-calls.ts';
import { takeNews, takeStep } from './take-news.ts';

/** Events from a provider's own connection are handled like webhooks. */
export function earOf(context: PlacingContext, provider: CallProvider): CallEar {
  const { database, log } = context;
  const leader = randomUUID();
  return {
    lead: () => leadProvider(database, provider.aggregatorId, leader),
    leave: () => leaveProvider(database, provider.aggregatorId, leader),
    takeStep: (news) => takeStep(context, news),
    takeNews: (news) => takeNews(context, provider, news),
    warn: (facts, sentence) => log.warn({ provider: provider.name, ...facts }, sentence),
  };
}
