import type { NewBrand, NewCampaign } from '../../contract/registration.ts';

/** What the registrar calls what we made there, by our names for it. Kept in the request’s row. */
export type Made = Readonly<Record<string, string>>;

export interface RegistrationWork {
  kind: 'Local' | 'TollFree';
  /** Ours: the same reference is the same thing at the registrar. At most 40 characters. */
  reference: string;
  brand: NewBrand;
  campaign: NewCampaign;
  /** Whom the registry asks about it: a sole proprietor, or whoever submitted it for an organization. */
  contact: { firstName: string; lastName: string };
  made: Made;
  /** The numbers that the campaign is for, digits with the country code, and how the provider calls them. */
  numbers: readonly { phone: string; key: string }[];
  /** Called after each thing that was made, before the next one: what it gets is remembered. */
  keep(made: Made): Promise<void>;
}

/** Why the registry said no, in its own words. */
export interface RegistryReason {
  /** The field as the registrar calls it; empty if it names none. */
  property: string;
  words: string;
}

export type Progress =
  | { state: 'Processing' }
  | { state: 'PendingContactAuthentication' }
  | { state: 'Failed'; reasons: RegistryReason[] }
  /** The pace and the texts a day that the registry grants, where it says so. */
  | { state: 'Complete'; perMinute: number | null; messagesPerDay: number | null }
  /** Nothing could be learned now. */
  | { state: 'unavailable'; reason: string };

/** Who registers organizations and their campaigns with the registry, in our words. No method throws. */
export interface Registrar {
  aggregatorId: 2 | 5;
  /** What the registrar takes at all. */
  takes(kind: RegistrationWork['kind'], entityType: string): boolean;
  /** Makes what isn’t made yet, and says how far it has come. Never makes anything twice. */
  advance(work: RegistrationWork): Promise<Progress>;
  /** Has the verification sent again. */
  resend(made: Made): Promise<boolean>;
  /** Adds a number to a registered campaign; `false` if that has to be tried again. */
  attach(made: Made, number: { phone: string; key: string }): Promise<boolean>;
}

/** Ends the work of `advance` early, with what is known. */
export class Stop extends Error {
  readonly progress: Progress;
  constructor(progress: Progress) {
    super(progress.state);
    this.progress = progress;
  }
}

/** Runs the steps of a registration; one that stops early says how far it has come. */
export async function runSteps(steps: () => Promise<Progress>): Promise<Progress> {
  try {
    return await steps();
  } catch (error) {
    if (error instanceof Stop) return error.progress;
    throw error;
  }
}

export function unavailable(reason: string): Stop {
  return new Stop({ state: 'unavailable', reason });
}

export function failed(reasons: RegistryReason[]): Stop {
  return new Stop({ state: 'Failed', reasons });
}
