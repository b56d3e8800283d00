/**
 * The messages about a number, apart from the country's own hint (phoneHint). No tables are imported, so
 * pages can use them too.
 */
export const notInNorthAmerica = "This number isn't in the US, Puerto Rico, or Canada";
export const numberNotAllowed = 'This number is not allowed';
export const notFromSupportedCountry = 'Phone number must be from a supported country.';
