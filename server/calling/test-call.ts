import type { Input } from '../../contract/call.ts';
import type { testCall as definition } from '../../contract/calling.ts';
import { refuseField } from '../../contract/errors.ts';
import { voiceUnits } from '../../contract/money/units.ts';
import { wirePhone } from '../../contract/phone/normalize-phone.ts';
import { moveCredits } from '../billing/move-credits.ts';
import { requireDraft } from '../broadcasts/draft/queries.ts';
import { readCalling } from '../broadcasts/draft/read-calling.ts';
import { readSending } from '../broadcasts/draft/read-sending.ts';
import { createCall } from '../calls/create-call.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { Actor } from '../serve.ts';
import { requireCaller, requirePhone } from './queries.ts';

/** "Call my phone with it": one call with one of the two messages, at any hour. */
export async function testCall(trx: Trx, actor: Actor, { params, body }: Input<typeof definition>) {
  const draft = await requireDraft(trx, actor, params.DraftBroadcastID);
  const calling = await readCalling(trx, draft);
  const audio = calling[body.Part];
  if (audio === null) throw refuseField(body.Part, 'Choose a message first.');
  const phone = await requirePhone(trx, actor, body.PhoneNumber);
  const caller = await requireCaller(trx, actor, calling.CallerID);
  const { takesCredits } = await readSending(trx, actor.accountId, draft.broadcast_id);
  const credits = takesCredits ? voiceUnits(audio.Length) : 0;
  await moveCredits(trx, [
    { accountId: actor.accountId, kind: 'reserve', credits, note: 'Test call', userId: actor.userId },
  ]);
  await createCall(trx, {
    ...{ accountId: actor.accountId, userId: actor.userId },
    ...caller,
    phone,
    credits,
    task: { kind: 'test', audioId: audio.AudioID },
  });
  if (credits > 0) await notify(trx, actor.accountId, [{ type: 'credits.changed' }]);
  return { PhoneNumber: wirePhone(phone, actor.account.CountryID), Credits: credits };
}
