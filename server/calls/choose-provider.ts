import type { Trx } from '../db.ts';

/** Infobip's scenarios don't provide recordings. */
const withoutRecordings = 5;

/**
 * The provider that calls from a number: the operator's choice (CALL_CARRIER), otherwise the number's own
 * carrier, otherwise one that is configured. A number whose carrier places no calls here was ours there, and
 * is verified. Undefined when no provider is configured.
 */
export async function chooseProvider(
  trx: Trx,
  carrier: number,
  { mustRecord = false }: { mustRecord?: boolean } = {},
) {
  const found = await trx
    .selectFrom('call_pace')
    .selectAll()
    .where('lines', '>', 0)
    .orderBy('provider')
    .execute();
  const able = mustRecord ? found.filter(({ provider }) => provider !== withoutRecordings) : found;
  // If no provider can record, the call is still created, and reports why it failed.
  const providers = able.length === 0 ? found : able;
  return (
    providers.find(({ is_first }) => is_first) ??
    providers.find(({ provider }) => provider === carrier) ??
    providers[0]
  );
}
