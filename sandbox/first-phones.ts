import type { Carrier } from './carrier.ts';

/** Telephones that are on the page when the sandbox starts for the first time. */
const firstPhones: readonly (readonly [string, string])[] = [
  ['14235550143', 'Renee Castellano'],
  ['14235550109', 'Walter Grice'],
  ['14235550106', 'Grace Kim'],
  ['14235550168', 'Omar Haddad'],
];

export function openFirstPhones(carrier: Carrier): void {
  for (const [number, name] of firstPhones) {
    const phone = carrier.phones.get(number);
    phone.name = name;
    phone.open = true;
    carrier.phones.settle(phone);
    carrier.journal?.phone(phone);
  }
}
