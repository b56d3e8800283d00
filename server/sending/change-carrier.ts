import { moveBroadcasts } from '../broadcasts/feed/move-broadcasts.ts';
import type { Trx } from '../db.ts';
import { requireLiveNumber } from '../numbers/require-live-number.ts';
import { setCarrier } from '../numbers/set-carrier.ts';
import { type AggregatorId, carrierNames } from '../outside/carrier.ts';
import { recordEvents } from '../record-events.ts';
import { moveTexts } from '../texts/move-texts.ts';

/** Gives the operator a message instead of doing it. */
type Refuse = (sentence: string) => Error;

type CarrierName = keyof typeof carrierNames;

/** Shows the carriers of a number, or sets them. */
export async function changeCarrier(
  trx: Trx,
  [phone = '', first, second]: readonly string[],
  refuse: Refuse,
): Promise<string[]> {
  const number = await requireLiveNumber(trx, phone, refuse);
  const describe = (aggregatorId: AggregatorId, other: AggregatorId | null) =>
    `${number.name || phone}: ${nameOf(aggregatorId)}, ${other === null ? 'without a second carrier' : `and ${nameOf(other)} while it is down`}.`;
  if (first === undefined) return [describe(number.aggregator_id, number.second_aggregator_id)];
  const aggregatorId = readCarrier(first, refuse);
  const secondAggregatorId = second === undefined || second === '-' ? null : readCarrier(second, refuse);
  if (aggregatorId === secondAggregatorId) throw refuse('The second carrier must be another one.');
  const key = { accountId: number.account_id, textNumberId: number.text_number_id };
  const lostAgent = await setCarrier(trx, key, { aggregatorId, secondAggregatorId });
  // In the common order of locks: broadcasts, then the outbox.
  const broadcasts = await moveBroadcasts(trx, { ...key, aggregatorId });
  const texts = await moveTexts(trx, { ...key, aggregatorId });
  await recordEvents(trx, { accountId: number.account_id, isOperator: true }, [
    {
      kind: 'textNumber.updated',
      ids: [number.text_number_id],
      changes: {
        AggregatorID: [number.aggregator_id, aggregatorId],
        SecondAggregatorID: [number.second_aggregator_id, secondAggregatorId],
        ...(lostAgent === null ? {} : { RcsAgent: [lostAgent, null] }),
      },
    },
  ]);
  const moved =
    broadcasts + texts === 0 ? [] : [`${texts} waiting texts and ${broadcasts} broadcasts go there too.`];
  const lost =
    lostAgent === null ? [] : ['It no longer sends RCS, which goes through Twilio. Its texts are SMS.'];
  return [describe(aggregatorId, secondAggregatorId), ...moved, ...lost];
}

function readCarrier(word: string, refuse: Refuse): AggregatorId {
  const name = word.toLowerCase();
  if (!(name in carrierNames))
    throw refuse(`Carriers are ${Object.keys(carrierNames).join(', ')}, not "${word}".`);
  return carrierNames[name as CarrierName];
}

function nameOf(aggregatorId: AggregatorId): string {
  return Object.entries(carrierNames).find(([, id]) => id === aggregatorId)?.[0] ?? String(aggregatorId);
}
