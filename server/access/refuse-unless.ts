import { Refusal } from '../../contract/errors.ts';
import { type CapabilityName, capabilityNames, type Who, whyNot } from '../../contract/permissions.ts';
import type { Actor } from './load-actor.ts';

/** The actor as the table of capabilities asks about them. */
function whoOf(actor: Actor): Who {
  return {
    user: {
      IsMasterUser: actor.role === 'owner',
      IsAccountAdmin: actor.role === 'admin',
      IsActive: actor.isActive,
      CanCreateBroadcast: actor.canCreateBroadcast,
      Permissions: {
        CanSeeAllBroadcasts: actor.canSeeAllBroadcasts,
        CanSeeAllRoster: actor.canSeeAllRoster,
        CanSeeGroupAudio: actor.canSeeGroupAudio,
      },
      Features: actor.features,
      HasTextNumberAssigned: actor.textNumberIds.length > 0,
    },
    account: actor.account,
    hasRegisteredUsNumber: actor.hasRegisteredUsNumber,
  };
}

/**
 * Refuses whoever lacks the capability, with its sentence. `serve()` asks it for every call; a verb asks it again where
 * what is needed depends on the row or on the body.
 */
export function refuseUnless(actor: Actor, capability: CapabilityName): void {
  const denial = whyNot(capability, whoOf(actor));
  if (denial !== undefined) throw new Refusal('forbidden', denial);
}

export function may(actor: Actor, capability: CapabilityName): boolean {
  return whyNot(capability, whoOf(actor)) === undefined;
}

/** What the actor may not do, each with its sentence: pages hide it. */
export function listDenials(actor: Actor): Partial<Record<CapabilityName, string>> {
  const who = whoOf(actor);
  const denials = capabilityNames.map((name) => [name, whyNot(name, who)] as const);
  return Object.fromEntries(denials.filter(([, denial]) => denial !== undefined));
}
