import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { cpuMs } from '../text/testing/cpu-ms.ts';
import { zoneAmendments } from './zone-amendments.ts';
import { formatOffset, isDaylightSavings, zoneLabelAt } from './zone-label.ts';
import { describeZoneData, findClockChange, isZone, offsetMsAt, zoneData } from './zone-offset.ts';
import { canadianCases, offsetFlagCases, zoneCases, zoneDataCases, zoneSettingCases } from './zones.cases.ts';
import {
  allZones,
  decimalOffset,
  findZone,
  findZoneByIana,
  findZoneOfSetting,
  isOffsetFlagged,
  settingOfZone,
  zones,
  zonesForCountry,
} from './zones.ts';

testRuleTable(zoneCases, (value) => {
  const zone = findZone(value);
  return zone && { label: zone.label, iana: zone.iana, offset: zone.offset, userOffset: zone.userOffset };
});
testRuleTable(offsetFlagCases, isOffsetFlagged);
testRuleTable(
  zoneSettingCases,
  ([TimeZoneOffset, ObservesDaylightSavings, countryId]) =>
    findZoneOfSetting({ TimeZoneOffset, ObservesDaylightSavings }, countryId)?.value,
);
testRuleTable(canadianCases, ([zone, at]) => formatOffset(offsetMsAt(Date.parse(at), zone)));

testRuleTable(zoneDataCases, ({ release, supplied }) =>
  describeZoneData({ release, supplied: zoneAmendments.filter((row) => supplied.includes(row.place)) }),
);

/** Temporal reads the runtime's zone data by another way than Intl does. */
function temporalOffsetMs(epochMs: number, zone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6;
}

const amended = new Set(zoneAmendments.flatMap((row) => row.zones));
const between2000And2040 = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2040, 0, 1) });

describe('the list of zones', () => {
  it('has the specification’s twenty-three in its order, each once', () => {
    expect(zones.map((zone) => zone.value).slice(0, 8)).toEqual([
      'hawaii',
      'alaska',
      'pacific',
      'arizona',
      'mountain',
      'central',
      'eastern',
      'atlantic',
    ]);
    expect(zones).toHaveLength(23);
    expect(new Set(allZones.map((zone) => zone.value)).size).toBe(allZones.length);
    expect(new Set(allZones.map((zone) => zone.iana)).size).toBe(allZones.length);
  });

  it('agrees with the zone data about every offset and about daylight saving, in 2027', () => {
    for (const zone of allZones) {
      const seen = new Set<number>();
      for (let month = 0; month < 12; month++)
        seen.add(offsetMsAt(Date.UTC(2027, month, 15), zone.iana) / 3_600_000);
      expect([zone.value, Math.min(...seen)]).toEqual([zone.value, zone.offset]);
      expect([zone.value, seen.size === 2]).toEqual([zone.value, zone.observesDaylightSavings]);
    }
  });

  it('gives zones that share a setting the same time all through 2027', () => {
    for (const zone of allZones) {
      const other = findZoneOfSetting(settingOfZone(zone));
      for (let day = 0; day < 365; day += 3) {
        const at = Date.UTC(2027, 0, 1 + day);
        expect(offsetMsAt(at, other?.iana ?? '')).toBe(offsetMsAt(at, zone.iana));
      }
    }
  });

  it('finds its way back from a setting with the country', () => {
    for (const zone of zones) {
      const [countryId] = zone.countryIds;
      if (zone.value === 'atlantic') continue;
      expect(findZoneOfSetting(settingOfZone(zone), countryId)?.value).toBe(zone.value);
    }
    expect(findZoneByIana('America/Chicago')?.value).toBe('central');
    expect(decimalOffset(1550)).toBe(15.5);
  });

  it('offers a country its own zones first', () => {
    expect(
      zonesForCountry(9)
        .slice(0, 5)
        .map((zone) => zone.value),
    ).toEqual(['queensland', 'aedt', 'northern territory', 'south australia', 'western australia']);
    expect(zonesForCountry(2)).toHaveLength(allZones.length);
  });

  it('labels a zone with the offset of the moment', () => {
    const eastern = findZoneByIana('America/New_York');
    const adelaide = findZoneByIana('Australia/Adelaide');
    if (!eastern || !adelaide) throw new Error('zones are missing');
    expect(zoneLabelAt(eastern, Date.UTC(2027, 0, 1))).toBe('(UTC-05:00) Eastern Time');
    expect(zoneLabelAt(eastern, Date.UTC(2027, 6, 1))).toBe('(UTC-04:00) Eastern Time');
    expect(zoneLabelAt(adelaide, Date.UTC(2027, 6, 1))).toBe('(UTC+09:30) South Australia Time');
    expect(isDaylightSavings(eastern, Date.UTC(2027, 6, 1))).toBe(true);
    expect(isDaylightSavings(eastern, Date.UTC(2027, 0, 1))).toBe(false);
    expect(isDaylightSavings(adelaide, Date.UTC(2027, 0, 1))).toBe(true);
  });
});

describe('offsets', () => {
  it('are the IANA data in Temporal, for every zone that the runtime has', () => {
    const names = Intl.supportedValuesOf('timeZone').filter((name) => !amended.has(name));
    fc.assert(
      fc.property(fc.constantFrom(...names), between2000And2040, (zone, at) => {
        expect([zone, at, offsetMsAt(at, zone)]).toEqual([zone, at, temporalOffsetMs(at, zone)]);
      }),
      { numRuns: 1500 },
    );
  });

  it('are the IANA data around every change of clocks of the chosen zones', () => {
    for (const { iana } of allZones) {
      if (amended.has(iana)) continue;
      let at = Temporal.Instant.from('2024-01-01T00:00:00Z').toZonedDateTimeISO(iana);
      for (
        let next = at.getTimeZoneTransition('next');
        next && next.year < 2032;
        next = at.getTimeZoneTransition('next')
      ) {
        const changeMs = next.epochMilliseconds;
        for (const ms of [changeMs - 1, changeMs, changeMs + 1]) {
          expect([iana, ms, offsetMsAt(ms, iana)]).toEqual([iana, ms, temporalOffsetMs(ms, iana)]);
        }
        const found = findClockChange(changeMs - 50 * 86_400_000 - 12_345, changeMs + 86_400_000, iana);
        expect([iana, found?.atMs]).toEqual([iana, changeMs]);
        at = next;
      }
    }
  });

  it('finds no change of clocks where there is none', () => {
    const [from, until] = [Date.UTC(2026, 10, 2), Date.UTC(2030, 0, 1)];
    for (const zone of [
      'America/Phoenix',
      'America/Vancouver',
      'America/Edmonton',
      'America/Inuvik',
      'America/Winnipeg',
    ]) {
      expect(findClockChange(from, until, zone)).toBeUndefined();
    }
    expect(
      findClockChange(Date.UTC(2027, 2, 14, 8), Date.UTC(2027, 2, 14, 8), 'America/New_York'),
    ).toBeUndefined();
  });

  it('does not touch an amended zone before its change', () => {
    fc.assert(
      fc.property(fc.constantFrom(...amended), between2000And2040, (zone, at) => {
        const row = zoneAmendments.find((one) => one.zones.includes(zone));
        if (!row) throw new Error(`no amendment for ${zone}`);
        const expected = at < Date.parse(row.from) ? temporalOffsetMs(at, zone) : row.offsetMinutes * 60_000;
        expect([zone, at, offsetMsAt(at, zone)]).toEqual([zone, at, expected]);
      }),
    );
  });

  it('knows an amended zone however its name is capitalized', () => {
    const winter = Date.UTC(2027, 0, 15);
    for (const name of ['america/winnipeg', 'AMERICA/WINNIPEG', 'canada/central']) {
      expect([name, offsetMsAt(winter, name)]).toEqual([name, -5 * 3_600_000]);
    }
  });

  it('recognizes valid zones', () => {
    expect(['America/New_York', 'UTC', 'US/Eastern'].map(isZone)).toEqual([true, true, true]);
    expect(['', 'Mars/Base', '+05:30', 'x'.repeat(100_000), 'America/New York'].map(isZone)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(() => offsetMsAt(0, 'Mars/Base')).toThrow(RangeError);
  });

  it('asks ICU once a week and not once a recipient', () => {
    const each = (ask: (epochMs: number) => void) => () => {
      for (let index = 0; index < 50_000; index++) ask(1.8e12 + index * 60_000);
    };
    const icu = new Intl.DateTimeFormat('en-US', { timeZone: 'America/Chicago', timeZoneName: 'longOffset' });
    const asked = cpuMs(each((epochMs) => icu.format(epochMs)));
    // 0.2 µs each against 2.5 µs.
    expect(cpuMs(each((epochMs) => offsetMsAt(epochMs, 'America/Chicago')))).toBeLessThan(asked / 2);
  });
});

describe('which zone data a build uses', () => {
  it('names the runtime’s release and what is supplied on top of it', () => {
    const data = zoneData('2026c');
    expect(data.release).toBe('2026c');
    for (const row of data.supplied) {
      expect(
        row.zones.some(
          (zone) =>
            temporalOffsetMs(Date.parse(row.from) + 2_592_000_000, zone) !== row.offsetMinutes * 60_000,
        ),
      ).toBe(true);
    }
  });
});
