import { sql } from 'kysely';
import { getSecret } from '../auth/queries.ts';
import type { JobContext, SliceJobs } from '../jobs.ts';
import { createWebhookPoster } from '../outside/post-webhook.ts';
import { createDeliveries } from './deliver-webhooks.ts';
import { fanOutEvents } from './fan-out-events.ts';
import { isWebhookWork } from './queries.ts';
import { keptDays } from './rules.ts';

/** Keeps each transaction of the nightly deletion short. */
const deletedAtOnce = 5_000;

export function createWebhookJobs({ config, database, log }: JobContext) {
  const poster = createWebhookPoster(config.OUTSIDE_ALLOWED_HOSTS);
  const deliveries = createDeliveries({
    ...{ database, poster, log, publicUrl: config.PUBLIC_URL },
    installation: () => getSecret(database),
  });

  async function giveUpLate(): Promise<void> {
    await sql`
      update webhook_deliveries set state = 'failed'
      where state = 'waiting' and give_up_at <= now()`.execute(database.system);
  }

  return {
    waiting: [
      {
        where: isWebhookWork,
        async run() {
          await giveUpLate();
          // Active requests to a slow endpoint don't keep events from being read.
          let failure: unknown;
          const post = () =>
            deliveries.run().catch((error: unknown) => {
              failure = error;
            });
          const posts = [post()];
          while ((await fanOutEvents(database)) > 0) posts.push(post());
          await Promise.all(posts);
          if (failure !== undefined) throw failure;
        },
      },
    ],
    async sweep() {
      for (;;) {
        const { rows } = await sql<{ many: number }>`
          with old as (
            select d.account_id, d.delivery_id from webhook_deliveries d
            where d.created_at < now() - ${keptDays} * interval '1 day' and d.state <> 'waiting' or exists (
              select from webhook_endpoints w
              where w.account_id = d.account_id and w.endpoint_id = d.endpoint_id and w.deleted_at is not null)
            limit ${deletedAtOnce}),
          tries as (
            delete from webhook_attempts a using old
            where a.account_id = old.account_id and a.delivery_id = old.delivery_id),
          gone as (
            delete from webhook_deliveries d using old
            where d.account_id = old.account_id and d.delivery_id = old.delivery_id returning d.delivery_id)
          select count(*)::int as many from gone`.execute(database.system);
        if ((rows[0]?.many ?? 0) < deletedAtOnce) break;
      }
      await sql`
        delete from webhook_endpoints w
        where w.deleted_at is not null and not exists (
          select from webhook_deliveries d where d.account_id = w.account_id and d.endpoint_id = w.endpoint_id)`.execute(
        database.system,
      );
    },
    stop: () => deliveries.stop(),
  } satisfies SliceJobs;
}
