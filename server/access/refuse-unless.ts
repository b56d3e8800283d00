import { Refusal } from '../../contract/errors.ts';
import { type CapabilityName, capabilityNames, type Who, whyNot } from '../../contract/permissions.ts';
import { hasScope, type Scope, scopeOfCapability } from '../../contract/scopes.ts';
import type { Actor } from './load-actor.ts';

/** The actor as input to the capability table. */
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
 * Refuses actors who lack the capability, with its message. `serve()` calls it for every call; a verb calls
 * it again where the requirement depends on the row or on the body.
 */
export function refuseUnless(actor: Actor, capability: CapabilityName): void {
  refuseUnlessUserMay(actor, capability);
  if (!reaches(actor, capability)) throw scopeRefusal(scopeOfCapability(capability));
}

/** The user behind an API key, ignoring the key's limits: `serve()` checks the key's scopes for the call. */
export function refuseUnlessUserMay(actor: Actor, capability: CapabilityName): void {
  const denial = whyNot(capability, whoOf(actor));
  if (denial === undefined) return;
  const Name = errorNames[capability];
  throw new Refusal('forbidden', denial, Name === undefined ? {} : { extendedData: { Name } });
}

/** Denials with their own error name: local numbers name all of their errors. */
const errorNames: Partial<Record<CapabilityName, string>> = {
  buyLocalNumber: 'NotAuthorizedForLocalNumber',
};

/** The message for a program whose key is not allowed to do this. */
export function scopeRefusal(needed: Scope | undefined): Refusal {
  if (needed === undefined)
    return new Refusal('forbidden', 'API keys can’t do this. Sign in to Muster to do it.');
  const message = `This API key isn’t allowed to do this: it needs the scope ${needed}. Change the key under Settings, Developers.`;
  return new Refusal('scopeMissing', message, { extendedData: { NeedsScope: needed } });
}

/** For a change that needs a further scope because of the row: what is started goes out as it is changed. */
export function refuseUnlessInScope({ scopes }: Actor, needed: Scope): void {
  if (scopes !== undefined && !hasScope(scopes, needed)) throw scopeRefusal(needed);
}

/** True if the scopes of the actor's API key include a capability; people have all of theirs. */
function reaches({ scopes }: Actor, capability: CapabilityName): boolean {
  if (scopes === undefined) return true;
  const needed = scopeOfCapability(capability);
  return needed !== undefined && hasScope(scopes, needed);
}

/**
 * For a change that is sensitive only because of its contents, unlike calls with `confirm: true`: requires
 * the password or a second factor again, unless it was given a moment ago.
 */
export function refuseUnlessConfirmed({ isConfirmed }: Actor): void {
  if (!isConfirmed) throw new Refusal('confirmationNeeded');
}

export function may(actor: Actor, capability: CapabilityName): boolean {
  return whyNot(capability, whoOf(actor)) === undefined && reaches(actor, capability);
}

const outOfScope = 'The API key isn’t allowed to do this.';

/** Messages by capability for everything that the actor may not do: pages hide it. */
export function listDenials(actor: Actor): Partial<Record<CapabilityName, string>> {
  const who = whoOf(actor);
  const denials = capabilityNames.map(
    (name) => [name, whyNot(name, who) ?? (reaches(actor, name) ? undefined : outOfScope)] as const,
  );
  return Object.fromEntries(denials.filter(([, denial]) => denial !== undefined));
}
