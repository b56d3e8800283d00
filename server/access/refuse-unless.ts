import { Refusal } from '../../contract/errors.ts';
import { type CapabilityName, capabilityNames, type Who, whyNot } from '../../contract/permissions.ts';
import { hasScope, type Scope, scopeOfCapability } from '../../contract/scopes.ts';
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
  refuseUnlessUserMay(actor, capability);
  if (!reaches(actor, capability)) throw scopeRefusal(scopeOfCapability(capability));
}

/** The user behind an API key, whatever the key is limited to: `serve()` holds its scopes against the call. */
export function refuseUnlessUserMay(actor: Actor, capability: CapabilityName): void {
  const denial = whyNot(capability, whoOf(actor));
  if (denial === undefined) return;
  const Name = errorNames[capability];
  throw new Refusal('forbidden', denial, Name === undefined ? {} : { extendedData: { Name } });
}

/** Denials that have a name of their own: local numbers name all of their errors. */
const errorNames: Partial<Record<CapabilityName, string>> = {
  buyLocalNumber: 'NotAuthorizedForLocalNumber',
};

/** What a program is told whose key is not allowed to do this. */
export function scopeRefusal(needed: Scope | undefined): Refusal {
  if (needed === undefined)
    return new Refusal('forbidden', 'API keys can’t do this. Sign in to Muster to do it.');
  const message = `This API key isn’t allowed to do this: it needs the scope ${needed}. Change the key under Settings, Developers.`;
  return new Refusal('scopeMissing', message, { extendedData: { NeedsScope: needed } });
}

/** Whether the scopes of the actor's API key include a capability; people have all of theirs. */
function reaches({ scopes }: Actor, capability: CapabilityName): boolean {
  if (scopes === undefined) return true;
  const needed = scopeOfCapability(capability);
  return needed !== undefined && hasScope(scopes, needed);
}

/**
 * For a change that is sensitive only by what is in it, as `confirm: true` is for whole calls: the password or a second
 * factor again, unless it was given a moment ago.
 */
export function refuseUnlessConfirmed({ isConfirmed }: Actor): void {
  if (!isConfirmed) throw new Refusal('confirmationNeeded');
}

export function may(actor: Actor, capability: CapabilityName): boolean {
  return whyNot(capability, whoOf(actor)) === undefined && reaches(actor, capability);
}

const outOfScope = 'The API key isn’t allowed to do this.';

/** What the actor may not do, each with its sentence: pages hide it. */
export function listDenials(actor: Actor): Partial<Record<CapabilityName, string>> {
  const who = whoOf(actor);
  const denials = capabilityNames.map(
    (name) => [name, whyNot(name, who) ?? (reaches(actor, name) ? undefined : outOfScope)] as const,
  );
  return Object.fromEntries(denials.filter(([, denial]) => denial !== undefined));
}
