import type { Trx } from '../db.ts';

/** Infobip's scenarios give no recordings. */
const withoutRecordings = 5;

/**
 * Who calls from a number: whom the operator chose (CALL_CARRIER), else the carrier that the number belongs to, else one that
 * is set up. A number whose carrier places no calls here was ours there, and is verified. Undefined when nobody is set up.
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
  // Where nobody can record, the call is still asked for, and says why it failed.
  const providers = able.length === 0 ? found : able;
  return (
    providers.find(({ is_first }) => is_first) ??
    providers.find(({ provider }) => provider === carrier) ??
    providers[0]
  );
}
