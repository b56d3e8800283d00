import { Refusal } from '../../contract/errors.ts';
import { refuseUnless } from '../access/refuse-unless.ts';
import { changePlan } from '../billing/change-plan.ts';
import { hasScheduledPictures } from '../broadcasts/find-scheduled-pictures.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor } from '../serve.ts';

/** Pictures in the broadcasts of a monthly account: on, or off once none is scheduled any more. */
export async function setEnhancedAddOn(trx: Trx, actor: Actor, isEnabled: boolean): Promise<void> {
  refuseUnless(actor, 'updateSubscription');
  if (!isEnabled && (await hasScheduledPictures(trx, actor.accountId)))
    throw new Refusal(
      'refused',
      'Send, change or cancel your scheduled texts with pictures before you cancel the add-on.',
    );
  const changes = await changePlan(trx, actor.accountId, { is_monthly_mms_enabled: isEnabled });
  await recordEvents(trx, actor, [{ kind: 'account.planChanged', changes }]);
  await notify(trx, actor.accountId, [{ type: 'billing.changed' }, { type: 'settings.changed' }]);
}
