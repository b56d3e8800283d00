/** The kind of organization that registers. */
export const entityTypes = [
  { value: 'PUBLIC_PROFIT', label: 'Publicly Traded Company' },
  { value: 'PRIVATE_PROFIT', label: 'Private Company' },
  { value: 'NON_PROFIT', label: 'Non-Profit Organization' },
  { value: 'GOVERNMENT', label: 'Government' },
  { value: 'SOLE_PROPRIETOR', label: 'Sole Proprietor' },
] as const;

export const registrationCountries = ['United States', 'Canada'] as const;
export type RegistrationCountry = (typeof registrationCountries)[number];

/**
 * The choices of the organization-type list. GOVERNMENT is excluded when the country is Canada. A sole
 * proprietor has a form of their own and is never picked from the list.
 */
export function entityTypesFor(country: string) {
  return entityTypes.filter(
    ({ value }) => value !== 'SOLE_PROPRIETOR' && !(value === 'GOVERNMENT' && country === 'Canada'),
  );
}
