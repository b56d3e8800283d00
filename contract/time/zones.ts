/**
 * The zones that a person can choose, as the specification lists them, and the ones it lacks.
 *
 * The specification identifies a zone by its distance from US Central Standard Time (TimeZoneOffset; hawaii
 * is -4 and atlantic 2) together with ObservesDaylightSavings. Whole hours are written as hours; the half
 * hours of central Australia as hundredths (1550 for 15.5). `iana` is what every calculation uses.
 */
export interface ZoneChoice {
  value: string;
  label: string;
  iana: string;
  /** Hours from UTC outside daylight saving time. */
  offset: number;
  /** The TimeZoneOffset of a user in this zone. */
  userOffset: number;
  observesDaylightSavings: boolean;
  /** The countries of contract/reference/countries.ts that it is offered to first. */
  countryIds: readonly number[];
}

const centralOffset = -6;

function zone(
  [value, label, iana]: [value: string, label: string, iana: string],
  offset: number,
  observesDaylightSavings: boolean,
  countryIds: readonly number[],
): ZoneChoice {
  return {
    value,
    label,
    iana,
    offset,
    userOffset: userOffsetOf(offset),
    observesDaylightSavings,
    countryIds,
  };
}

/** Whole hours from Central as they are, others in hundredths. */
function userOffsetOf(offset: number): number {
  const hours = offset - centralOffset;
  return Number.isInteger(hours) ? hours : hours * 100;
}

/** The specification's zones, in its order. */
export const zones: readonly ZoneChoice[] = [
  zone(['hawaii', 'Hawaii Time', 'Pacific/Honolulu'], -10, false, [1]),
  zone(['alaska', 'Alaska Time', 'America/Anchorage'], -9, true, [1]),
  zone(['pacific', 'Pacific Time', 'America/Los_Angeles'], -8, true, [1]),
  zone(['arizona', 'Arizona Time', 'America/Phoenix'], -7, false, [1]),
  zone(['mountain', 'Mountain Time', 'America/Denver'], -7, true, [1]),
  zone(['central', 'Central Time', 'America/Chicago'], -6, true, [1, 2]),
  zone(['eastern', 'Eastern Time', 'America/New_York'], -5, true, [1, 2]),
  zone(['atlantic', 'Atlantic Time', 'America/Halifax'], -4, true, [1, 2]),
  zone(['gmt', 'United Kingdom Time', 'Europe/London'], 0, true, [4]),
  zone(['cet', 'Central European Time', 'Europe/Berlin'], 1, true, [5, 6, 8, 11, 12, 13, 14, 15, 24, 25]),
  zone(['ist', 'Irish Time', 'Europe/Dublin'], 0, true, [16]),
  zone(['ae', 'United Arab Emirates Time', 'Asia/Dubai'], 4, false, [21]),
  zone(['eg', 'Egypt Time', 'Africa/Cairo'], 2, true, [22]),
  zone(['tr', 'Turkey Time', 'Europe/Istanbul'], 3, false, [27]),
  zone(['sa', 'Saudi Arabia Time', 'Asia/Riyadh'], 3, false, [23]),
  zone(['pht', 'Philippine Time', 'Asia/Manila'], 8, false, [7]),
  zone(['sg', 'Singapore Time', 'Asia/Singapore'], 8, false, [10]),
  zone(['kst', 'Korean Time', 'Asia/Seoul'], 9, false, [26]),
  zone(['queensland', 'Queensland Time', 'Australia/Brisbane'], 10, false, [9]),
  zone(['aedt', 'Eastern Australia Time', 'Australia/Sydney'], 10, true, [9]),
  zone(['northern territory', 'Northern Territory Time', 'Australia/Darwin'], 9.5, false, [9]),
  zone(['south australia', 'South Australia Time', 'Australia/Adelaide'], 9.5, true, [9]),
  zone(['western australia', 'Western Australia Time', 'Australia/Perth'], 8, false, [9]),
];

/**
 * Places that may hold an account but have no zone in the list above: those in Canada that keep one time all
 * year, Newfoundland, the US territories, Mexico. Without them a text could go out an hour wrong.
 */
const moreZones: readonly ZoneChoice[] = [
  zone(['samoa', 'American Samoa Time', 'Pacific/Pago_Pago'], -11, false, [1]),
  zone(['british columbia', 'British Columbia Time', 'America/Vancouver'], -7, false, [2]),
  zone(['yukon', 'Yukon Time', 'America/Whitehorse'], -7, false, [2]),
  zone(['alberta', 'Alberta Time', 'America/Edmonton'], -6, false, [2]),
  zone(['saskatchewan', 'Saskatchewan Time', 'America/Regina'], -6, false, [2]),
  zone(['northwest territories', 'Northwest Territories Time', 'America/Inuvik'], -6, false, [2]),
  zone(['mexico', 'Mexico City Time', 'America/Mexico_City'], -6, false, [3]),
  zone(['manitoba', 'Manitoba Time', 'America/Winnipeg'], -5, false, [2]),
  zone(['puerto rico', 'Puerto Rico Time', 'America/Puerto_Rico'], -4, false, [1]),
  zone(['newfoundland', 'Newfoundland Time', 'America/St_Johns'], -3.5, true, [2]),
  zone(['guam', 'Guam Time', 'Pacific/Guam'], 10, false, [1]),
];

export const allZones: readonly ZoneChoice[] = [...zones, ...moreZones];

export function findZone(value: string): ZoneChoice | undefined {
  return allZones.find((choice) => choice.value === value);
}

export function findZoneByIana(iana: string): ZoneChoice | undefined {
  return allZones.find((choice) => choice.iana === iana);
}

export interface ZoneSetting {
  TimeZoneOffset: number;
  ObservesDaylightSavings: boolean;
}

export function settingOfZone({ userOffset, observesDaylightSavings }: ZoneChoice): ZoneSetting {
  return { TimeZoneOffset: userOffset, ObservesDaylightSavings: observesDaylightSavings };
}

/** TimeZoneOffsetDecimal: the setting's offset in hours. */
export function decimalOffset(TimeZoneOffset: number): number {
  return Math.abs(TimeZoneOffset) >= 100 ? TimeZoneOffset / 100 : TimeZoneOffset;
}

/**
 * The zone that a setting means; several places can share one setting, then the account's country decides.
 * All that share one keep the same time, so a wrong guess shows another name, never another hour.
 */
export function findZoneOfSetting(setting: ZoneSetting, countryId?: number): ZoneChoice | undefined {
  const sharing = allZones.filter(
    (choice) =>
      decimalOffset(choice.userOffset) === decimalOffset(setting.TimeZoneOffset) &&
      choice.observesDaylightSavings === setting.ObservesDaylightSavings,
  );
  return (
    sharing.find((choice) => countryId !== undefined && choice.countryIds.includes(countryId)) ?? sharing[0]
  );
}

/** Time zone offsets below -4 or above 2 are flagged: such a user is outside the United States' zones. */
export function isOffsetFlagged(TimeZoneOffset: number): boolean {
  const hours = decimalOffset(TimeZoneOffset);
  return hours < -4 || hours > 2;
}

/** The zones for an account of the country, its own first. */
export function zonesForCountry(countryId: number): ZoneChoice[] {
  return [
    ...allZones.filter((choice) => choice.countryIds.includes(countryId)),
    ...allZones.filter((choice) => !choice.countryIds.includes(countryId)),
  ];
}
