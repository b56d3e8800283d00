import { may } from '../access/refuse-unless.ts';
import type { Config } from '../config.ts';
import type { Actor } from '../serve.ts';

/**
 * True if this user can get the trial's free number here: a provider sells numbers, the user may, and there is none
 * yet. Otherwise the addLocalNumber step is skipped and answers 404, which pages ignore.
 */
export function canAddLocalNumber(
  actor: Actor,
  { INFOBIP_BASE_URL, TWILIO_BASE_URL }: Pick<Config, 'INFOBIP_BASE_URL' | 'TWILIO_BASE_URL'>,
): boolean {
  const hasSeller = INFOBIP_BASE_URL !== undefined || TWILIO_BASE_URL !== undefined;
  return hasSeller && actor.textNumberIds.length === 0 && may(actor, 'getFreeTextNumber');
}
