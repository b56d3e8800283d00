/** The countries an organization can be in. `CountryID` 17 to 20 were never given out. */
export interface Country {
  id: number;
  name: string;
  /** ISO 3166-1 alpha-2, which is also the region libphonenumber knows. */
  code: string;
  callingCode: string;
  /**
   * The specification's maximum, calling code included, for hints only. Some are too small for real numbers
   * (the Netherlands' 9, when a Dutch number has 11), so no number is ever refused because of it.
   */
  maxDigits: number;
}

const UNITED_STATES: Country = {
  id: 1,
  name: 'United States',
  code: 'US',
  callingCode: '1',
  maxDigits: 10,
};

export const countries: readonly Country[] = [
  UNITED_STATES,
  { id: 2, name: 'Canada', code: 'CA', callingCode: '1', maxDigits: 10 },
  { id: 3, name: 'Mexico', code: 'MX', callingCode: '52', maxDigits: 13 },
  { id: 4, name: 'United Kingdom', code: 'GB', callingCode: '44', maxDigits: 12 },
  { id: 5, name: 'Germany', code: 'DE', callingCode: '49', maxDigits: 13 },
  { id: 6, name: 'Poland', code: 'PL', callingCode: '48', maxDigits: 12 },
  { id: 7, name: 'Philippines', code: 'PH', callingCode: '63', maxDigits: 12 },
  { id: 8, name: 'Slovakia', code: 'SK', callingCode: '421', maxDigits: 12 },
  { id: 9, name: 'Australia', code: 'AU', callingCode: '61', maxDigits: 11 },
  { id: 10, name: 'Singapore', code: 'SG', callingCode: '65', maxDigits: 10 },
  { id: 11, name: 'France', code: 'FR', callingCode: '33', maxDigits: 11 },
  { id: 12, name: 'Italy', code: 'IT', callingCode: '39', maxDigits: 13 },
  { id: 13, name: 'Spain', code: 'ES', callingCode: '34', maxDigits: 11 },
  { id: 14, name: 'Austria', code: 'AT', callingCode: '43', maxDigits: 14 },
  { id: 15, name: 'Czech Republic', code: 'CZ', callingCode: '420', maxDigits: 15 },
  { id: 16, name: 'Ireland', code: 'IE', callingCode: '353', maxDigits: 12 },
  { id: 21, name: 'United Arab Emirates', code: 'AE', callingCode: '971', maxDigits: 12 },
  { id: 22, name: 'Egypt', code: 'EG', callingCode: '20', maxDigits: 12 },
  { id: 23, name: 'Saudi Arabia', code: 'SA', callingCode: '966', maxDigits: 12 },
  { id: 24, name: 'Netherlands', code: 'NL', callingCode: '31', maxDigits: 9 },
  { id: 25, name: 'Belgium', code: 'BE', callingCode: '32', maxDigits: 11 },
  { id: 26, name: 'South Korea', code: 'KR', callingCode: '82', maxDigits: 12 },
  { id: 27, name: 'Turkey', code: 'TR', callingCode: '90', maxDigits: 12 },
];

const byId = new Map(countries.map((country) => [country.id, country]));

function findCountry(countryId: number): Country | undefined {
  return byId.get(countryId);
}

const callingCodes = new Set(countries.map(({ callingCode }) => callingCode));

/** True if one of these countries has the calling code. */
export function isSupportedCode(callingCode: string): boolean {
  return callingCodes.has(callingCode);
}

/** Any country above 2 is international. */
export function isInternational(countryId: number): boolean {
  return countryId > 2;
}

/** The hint of an empty phone field. */
export function phoneHint(countryId: number = UNITED_STATES.id): string {
  const country = findCountry(countryId);
  if (!country || !isInternational(countryId)) return 'Must be 10 digits; use only numbers';
  return `Must start with ${country.callingCode}; no more than ${country.maxDigits} digits; use only numbers`;
}
