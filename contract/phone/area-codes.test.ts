import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { areaCodes, findAreaCode, placeOfPhone, zonesOfAreaCode } from './area-codes.ts';
import { areaCodePlaces } from './phones.cases.ts';

testRuleTable(areaCodePlaces, (code) => {
  const place = placeOfPhone(`1${code}5550143`);
  return place === undefined ? undefined : { place, zones: zonesOfAreaCode(code) };
});

/** The country that libphonenumber gives an area code to, where it is a geographic one of the US or Canada. */
function countryBesides(code: string): string | undefined {
  const number = parsePhoneNumberFromString(`+1${code}2345678`);
  const country =
    number?.isValid() && number.getType() === 'FIXED_LINE_OR_MOBILE' ? number.country : undefined;
  return country && ['PR', 'GU', 'MP', 'AS', 'VI'].includes(country) ? 'US' : country;
}

/** Overlays that the numbering administrator has assigned and libphonenumber doesn't know yet. */
const newer = '357 436 457 465 471 483 565 621 624 679 729 837 851 861 924'.split(' ');
/** Its pattern for these islands only allows the exchanges in use. */
const islands = ['340', '684'];

/** Offsets from UTC, in hours, that were in use somewhere in a state in January 2025, by state. */
const winterHours: Readonly<Record<string, readonly number[]>> = {
  ...hours([-4], 'PR VI NB NS'),
  ...hours([-3.5, -4], 'NL'),
  ...hours([-5], 'CT DE DC GA ME MD MA NH NJ NY NC OH PA RI SC VT VA WV'),
  ...hours([-5, -6], 'FL IN KY MI TN ON'),
  ...hours([-5, -4], 'QC'),
  ...hours([-6], 'AL AR IL IA LA MN MS MO OK WI MB'),
  ...hours([-6, -7], 'KS NE ND SD TX SK'),
  ...hours([-7], 'AZ CO MT NM UT WY AB'),
  ...hours([-7, -8], 'ID NV OR BC'),
  ...hours([-8], 'CA WA'),
  ...hours([-9, -10], 'AK'),
  ...hours([-10], 'HI'),
  ...hours([-11], 'AS'),
  ...hours([10], 'GU MP'),
  // 867 also serves the Northwest Territories and Nunavut.
  ...hours([-7, -6, -5], 'YT'),
};

function hours(kept: readonly number[], states: string) {
  return Object.fromEntries(states.split(' ').map((state) => [state, kept]));
}

describe('area codes', () => {
  it('are all that libphonenumber knows of the US and Canada, and the newer ones', () => {
    for (let number = 200; number < 1000; number += 1) {
      const code = String(number);
      const besides = countryBesides(code);
      const ours = findAreaCode(code)?.country;
      if (newer.includes(code) || islands.includes(code)) expect(ours, code).toBeDefined();
      else expect(ours, code).toBe(besides === 'US' || besides === 'CA' ? besides : undefined);
    }
  });

  it('give every zone where they span several', () => {
    const spanning =
      '208 219 250 270 308 418 423 541 574 605 606 620 701 709 775 785 807 812 850 867 906 907 928 986';
    for (const code of spanning.split(' ')) expect(zonesOfAreaCode(code).length, code).toBeGreaterThan(1);
    // An overlay reaches as far as the code it relieves.
    const overlays =
      '364 270, 729 423, 458 541, 930 812, 448 850, 778 250, 639 306, 581 418, 879 709, 986 208';
    for (const pair of overlays.split(', ')) {
      const [newer = '', older = ''] = pair.split(' ');
      expect(zonesOfAreaCode(newer), newer).toEqual(zonesOfAreaCode(older));
    }
  });

  it('have zones that the runtime knows', () => {
    for (const { zones } of areaCodes) {
      for (const zone of zones) expect(() => Temporal.Now.zonedDateTimeISO(zone)).not.toThrow();
      expect(new Set(zones).size).toBe(zones.length);
      expect(zones.length).toBeGreaterThan(0);
    }
  });

  it('have only the offsets of their state, and together all of them', () => {
    const january = Temporal.Instant.from('2025-01-15T12:00:00Z');
    const seen = new Map<string, Set<number>>();
    for (const { code, state, zones } of areaCodes) {
      for (const zone of zones) {
        const hour = january.toZonedDateTimeISO(zone).offsetNanoseconds / 3.6e12;
        expect(winterHours[state], `${code} ${zone}`).toContain(hour);
        seen.set(state, (seen.get(state) ?? new Set()).add(hour));
      }
    }
    for (const [state, kept] of Object.entries(winterHours)) {
      expect([...(seen.get(state) ?? [])].sort(), state).toEqual([...kept].sort());
    }
  });

  it('are in the table once, with a place and a state', () => {
    expect(new Set(areaCodes.map(({ code }) => code)).size).toBe(areaCodes.length);
    for (const { code, state, place } of areaCodes) {
      expect(code).toMatch(/^[2-9]\d\d$/);
      expect(state).toMatch(/^[A-Z]{2}$/);
      expect(place).toMatch(/^[A-Z][A-Za-z.' ]+$/);
    }
  });
});
