import type { EinLookupEntry } from '../../contract/forms/registration/registration-changes.ts';
import type { Config } from '../config.ts';
import { isRecord, openCarrierLine } from './carrier-line.ts';
import { readReply } from './number-provider.ts';

/** A service that knows organizations by their EIN, in our terms. */
export interface EinLookup {
  /**
   * Its data about the organization, best match first. Never throws: without a response the list is empty.
   */
  lookUp(ein: string): Promise<Required<EinLookupEntry>[]>;
  close(): Promise<void>;
}

const mostLength = 255;

/**
 * ProPublica’s Nonprofit Explorer, which needs no key and knows non-profits. Companies need a paid source; an
 * operator with one can put a compatible service in front of it.
 */
export function createEinLookup(config: Config): EinLookup | undefined {
  const { EIN_LOOKUP_BASE_URL } = config;
  if (EIN_LOOKUP_BASE_URL === undefined) return undefined;
  const line = openCarrierLine(EIN_LOOKUP_BASE_URL, '');
  return {
    async lookUp(ein) {
      const digits = ein.replace(/\D/g, '');
      const reply = readReply(await line.get(`/nonprofits/api/v2/organizations/${digits}.json`));
      const found = reply?.status === 200 ? reply.body.organization : undefined;
      if (!isRecord(found)) return [];
      const entry = {
        companyName: readText(found.name),
        address1: readText(found.address),
        city: readText(found.city),
        state: readText(found.state),
        zipCode: readText(found.zipcode),
        website: readText(found.website),
      };
      return entry.companyName === null ? [] : [entry];
    },
    close: () => line.close(),
  };
}

function readText(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, mostLength) : null;
}
