/** States, territories and provinces that people can choose, with their postal codes. */
export interface State {
  code: string;
  name: string;
  country: 'US' | 'CA';
  kind: 'state' | 'district' | 'territory' | 'military' | 'province';
}

const unitedStates: Record<string, string> = {
  AL: 'Alabama',
  AK: 'Alaska',
  AZ: 'Arizona',
  AR: 'Arkansas',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  FL: 'Florida',
  GA: 'Georgia',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
};

const territories: Record<string, string> = {
  AS: 'American Samoa',
  GU: 'Guam',
  MP: 'Northern Mariana Islands',
  PR: 'Puerto Rico',
  VI: 'U.S. Virgin Islands',
};

/** Mail to the armed forces abroad is addressed as if to a state, and cards are billed there. */
const military: Record<string, string> = {
  AA: 'Armed Forces Americas',
  AE: 'Armed Forces Europe',
  AP: 'Armed Forces Pacific',
};

const canadianProvinces: Record<string, string> = {
  AB: 'Alberta',
  BC: 'British Columbia',
  MB: 'Manitoba',
  NB: 'New Brunswick',
  NL: 'Newfoundland and Labrador',
  NS: 'Nova Scotia',
  NT: 'Northwest Territories',
  NU: 'Nunavut',
  ON: 'Ontario',
  PE: 'Prince Edward Island',
  QC: 'Quebec',
  SK: 'Saskatchewan',
  YT: 'Yukon',
};

export const states: readonly State[] = [
  ...entries(unitedStates, 'US', 'state'),
  { code: 'DC', name: 'District of Columbia', country: 'US', kind: 'district' },
  ...entries(territories, 'US', 'territory'),
  ...entries(military, 'US', 'military'),
  ...entries(canadianProvinces, 'CA', 'province'),
];

function entries(names: Record<string, string>, country: State['country'], kind: State['kind']): State[] {
  return Object.entries(names).map(([code, name]) => ({ code, name, country, kind }));
}

/** The states of a country by name, as a list shows them. */
export function statesOf(country: State['country']): readonly State[] {
  return states
    .filter((state) => state.country === country)
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

const byText = new Map<string, State>();
for (const state of states) {
  byText.set(state.code.toLowerCase(), state);
  byText.set(comparable(state.name), state);
}
const aliases = new Map(
  Object.entries({
    'virgin islands': 'VI',
    'us virgin islands': 'VI',
    newfoundland: 'NL',
    'washington dc': 'DC',
    'washington d c': 'DC',
    'yukon territory': 'YT',
  }),
);

/** The state that a person meant: "tn", "Tennessee", "Québec". No code is both a US state and a province. */
export function findState(text: string): State | undefined {
  if (text.length > 50) return undefined;
  const key = comparable(text);
  return byText.get(key) ?? byText.get((aliases.get(key) ?? '').toLowerCase());
}

function comparable(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim();
}
