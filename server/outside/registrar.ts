import type { NewBrand, NewCampaign } from '../../contract/registration.ts';

/** The registrar's ids for the objects that we created there, by our names. Stored in the request’s row. */
export type Made = Readonly<Record<string, string>>;

export interface RegistrationWork {
  kind: 'Local' | 'TollFree';
  /** Our own: the same reference is the same object at the registrar. At most 40 characters. */
  reference: string;
  brand: NewBrand;
  campaign: NewCampaign;
  /**
   * The contact person for the registry: a sole proprietor, or the user who submitted it for an organization.
   */
  contact: { firstName: string; lastName: string };
  made: Made;
  /** The campaign's numbers, digits with the country code, and the provider's ids of them. */
  numbers: readonly { phone: string; key: string }[];
  /** Called after each object was created, before the next one: its argument is saved. */
  keep(made: Made): Promise<void>;
}

/** The registry's reason for the refusal, in its own words. */
export interface RegistryReason {
  /** The registrar's name of the field; empty without one. */
  property: string;
  words: string;
}

export type Progress =
  | { state: 'Processing' }
  | { state: 'PendingContactAuthentication' }
  | { state: 'Failed'; reasons: RegistryReason[] }
  /** The pace and the daily texts that the registry grants, if it returns them. */
  | { state: 'Complete'; perMinute: number | null; messagesPerDay: number | null }
  /** No result at the moment. */
  | { state: 'unavailable'; reason: string };

/**
 * A service that registers organizations and their campaigns with the registry, in our terms. No method
 * throws.
 */
export interface Registrar {
  aggregatorId: 2 | 5;
  /** The kinds of registration that the registrar supports. */
  takes(kind: RegistrationWork['kind'], entityType: string): boolean;
  /** Creates missing objects, and returns the progress. Never creates anything twice. */
  advance(work: RegistrationWork): Promise<Progress>;
  /** Has the verification sent again. */
  resend(made: Made): Promise<boolean>;
  /** Adds a number to a registered campaign; `false` if that has to be retried. */
  attach(made: Made, number: { phone: string; key: string }): Promise<boolean>;
}

/** Ends `advance` early, with the current result. */
export class Stop extends Error {
  readonly progress: Progress;
  constructor(progress: Progress) {
    super(progress.state);
    this.progress = progress;
  }
}

/** Runs the steps of a registration; one that stops early returns the progress. */
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
