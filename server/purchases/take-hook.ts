import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { asSystem } from '../db.ts';
import { enqueue } from '../jobs.ts';
import type { CardProcessor } from '../outside/card-processor.ts';
import { HookRefused } from '../outside/carrier.ts';
import type { App } from '../serve.ts';

const mostBytes = 256 * 1024;

/**
 * The processor's webhooks. An event may arrive twice, late, out of order and before the reply: it is only
 * used as a hint to ask the processor itself. The response is sent when the job is stored.
 */
export function stripeHook(app: App, processor: CardProcessor): void {
  app.http.post(
    '/hooks/stripe',
    { bodyLimit: mostBytes, config: { callName: 'hook.stripe' } },
    async (request: FastifyRequest, reply: FastifyReply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      let spoken: ReturnType<CardProcessor['readHook']>;
      try {
        spoken = processor.readHook({ signature: String(request.headers['stripe-signature'] ?? ''), body });
      } catch (error) {
        if (error instanceof HookRefused) return reply.code(403).send({ Message: 'Not accepted.' });
        throw error;
      }
      if (spoken !== undefined) {
        const { paymentId, saysPaid } = spoken;
        await asSystem(app.database, async (trx) => {
          // A payment is mostly known already, from the reply. A repeat changes nothing.
          const { rows } = await sql<{ account_id: number; charge_id: number }>`
            select account_id, charge_id from charges
            where payment_id = ${paymentId} and not (${saysPaid} and state = 'paid')`.execute(trx);
          for (const { account_id, charge_id } of rows)
            await enqueue(
              trx,
              'settle_charge',
              { accountId: account_id, chargeId: charge_id },
              { key: `settle_charge ${account_id} ${charge_id}` },
            );
        });
      }
      return reply.send({ received: true });
    },
  );
}
