import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../db.ts';
import { enqueue, type TaskName } from '../jobs.ts';
import { type Carrier, type Hook, HookRefused } from '../outside/carrier.ts';
import type { App } from '../serve.ts';
import type { OwnReceipt } from '../texts/apply-receipts.ts';
import { readOwn, storeReceipts } from '../texts/store-receipts.ts';
import { storeInbound } from './store-hooks.ts';

/**
 * Infobip sends up to 2,000 reports per request, some 600 bytes each. Twilio sends one text, whose signature
 * can be checked only after the whole body was read, so its limit is the size of a text with ten pictures.
 */
const bodyBytes = { infobip: 4 * 1024 * 1024, twilio: 64 * 1024 } as const;

/**
 * Carriers post receipts and inbound texts here. They are verified, stored and acknowledged; a job applies
 * them. If a worker runs in this process, receipts are applied at once, which saves storing them. The reply
 * is sent only after the commit: an acknowledged webhook is stored.
 */
export function hookRoutes(
  app: App,
  carriers: Map<number, Carrier>,
  applyHere: ApplyHere,
  takeHere: TakeHere,
): void {
  const nudge = createNudge(app.database, applyHere);
  const routes = [
    { name: 'infobip', aggregatorId: 5, suffix: '/:secret' },
    { name: 'twilio', aggregatorId: 2, suffix: '' },
  ] as const;
  for (const { name, aggregatorId, suffix } of routes) {
    const carrier = carriers.get(aggregatorId);
    if (carrier === undefined) continue;
    const post = (kind: 'receipts' | 'inbound', take: (hook: Hook) => Promise<void>) =>
      app.http.post(
        `/hooks/${name}/${kind}${suffix}`,
        { bodyLimit: bodyBytes[name], config: { callName: `hook.${name}.${kind}` } },
        (request, reply) => answerHook(app, carrier, { request, reply, take }),
      );
    post('receipts', async (hook) => {
      const receipts = readOwn(carrier.readReceipts(hook));
      if (receipts.length === 0 || (await takeHere(receipts))) return;
      await storeReceipts(app.database, receipts);
      nudge('apply_receipts');
    });
    post('inbound', async (hook) => {
      const texts = carrier.readInbound(hook);
      await storeInbound(app.database, aggregatorId, texts);
      if (texts.length > 0) nudge('apply_inbound');
    });
  }
}

async function answerHook(
  app: App,
  carrier: Carrier,
  {
    request,
    reply,
    take,
  }: { request: FastifyRequest; reply: FastifyReply; take: (hook: Hook) => Promise<void> },
) {
  try {
    await take({
      url: app.config.PUBLIC_URL + request.url,
      secret: (request.params as { secret?: string }).secret ?? '',
      query: request.query as Record<string, string>,
      headers: request.headers,
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    });
  } catch (error) {
    if (error instanceof HookRefused) return reply.code(403).send({ Message: 'Not accepted.' });
    throw error;
  }
  return reply.type(carrier.hookReply.contentType).send(carrier.hookReply.body);
}

/** Applies receipts if a worker runs in this process; returns whether they were applied. */
export type TakeHere = (receipts: OwnReceipt[]) => Promise<boolean>;

/** Applies stored rows if a worker runs in this process; returns whether one does. */
export type ApplyHere = (task: 'apply_receipts' | 'apply_inbound') => boolean;

/** Webhooks that follow a job within this time share the next one. */
const nudgeMs = 10;

/**
 * Makes sure that stored rows are applied after their commit: at once by a worker in this process, otherwise
 * by a job. The first webhook's job runs at once, those that follow within some milliseconds share one. If
 * the process dies in between, the workers' check every second finds the rows.
 */
function createNudge(database: Database, applyHere: ApplyHere) {
  /** Tasks that just got a job, and whether rows have arrived since. */
  const nudged = new Map<TaskName, boolean>();
  return function nudge(task: 'apply_receipts' | 'apply_inbound'): void {
    if (applyHere(task)) return;
    if (nudged.has(task)) {
      nudged.set(task, true);
      return;
    }
    nudged.set(task, false);
    // A user may be viewing the conversation: a text goes before receipts.
    const priority = task === 'apply_inbound' ? -1 : 0;
    enqueue(database.system, task, {}, { priority }).catch(() => undefined);
    setTimeout(() => {
      const isMore = nudged.get(task);
      nudged.delete(task);
      if (isMore) nudge(task);
    }, nudgeMs);
  };
}
