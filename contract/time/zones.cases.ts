import { ruleTable } from '../testing/rule-table.ts';

export const zoneCases = ruleTable<
  string,
  { label: string; iana: string; offset: number; userOffset: number } | undefined
>({
  about: 'Time zones',
  file: 'contract/time/zones.ts',
  rows: [
    {
      rule: 'US time zones: hawaii, alaska, pacific, arizona, mountain, central, eastern, atlantic. (userOffset: hours from Central)',
      cases: [
        ['hawaii', { label: 'Hawaii Time', iana: 'Pacific/Honolulu', offset: -10, userOffset: -4 }],
        ['alaska', { label: 'Alaska Time', iana: 'America/Anchorage', offset: -9, userOffset: -3 }],
        ['pacific', { label: 'Pacific Time', iana: 'America/Los_Angeles', offset: -8, userOffset: -2 }],
        ['arizona', { label: 'Arizona Time', iana: 'America/Phoenix', offset: -7, userOffset: -1 }],
        ['mountain', { label: 'Mountain Time', iana: 'America/Denver', offset: -7, userOffset: -1 }],
        ['central', { label: 'Central Time', iana: 'America/Chicago', offset: -6, userOffset: 0 }],
        ['eastern', { label: 'Eastern Time', iana: 'America/New_York', offset: -5, userOffset: 1 }],
        ['atlantic', { label: 'Atlantic Time', iana: 'America/Halifax', offset: -4, userOffset: 2 }],
      ],
    },
    {
      rule: 'Others: gmt, cet, ist, ae, eg, tr, sa, pht, sg, kst, queensland, aedt, northern territory, south australia, western australia.',
      cases: [
        ['gmt', { label: 'United Kingdom Time', iana: 'Europe/London', offset: 0, userOffset: 6 }],
        ['cet', { label: 'Central European Time', iana: 'Europe/Berlin', offset: 1, userOffset: 7 }],
        ['ist', { label: 'Irish Time', iana: 'Europe/Dublin', offset: 0, userOffset: 6 }],
        ['ae', { label: 'United Arab Emirates Time', iana: 'Asia/Dubai', offset: 4, userOffset: 10 }],
        ['eg', { label: 'Egypt Time', iana: 'Africa/Cairo', offset: 2, userOffset: 8 }],
        ['tr', { label: 'Turkey Time', iana: 'Europe/Istanbul', offset: 3, userOffset: 9 }],
        ['sa', { label: 'Saudi Arabia Time', iana: 'Asia/Riyadh', offset: 3, userOffset: 9 }],
        ['pht', { label: 'Philippine Time', iana: 'Asia/Manila', offset: 8, userOffset: 14 }],
        ['sg', { label: 'Singapore Time', iana: 'Asia/Singapore', offset: 8, userOffset: 14 }],
        ['kst', { label: 'Korean Time', iana: 'Asia/Seoul', offset: 9, userOffset: 15 }],
        ['queensland', { label: 'Queensland Time', iana: 'Australia/Brisbane', offset: 10, userOffset: 16 }],
        ['aedt', { label: 'Eastern Australia Time', iana: 'Australia/Sydney', offset: 10, userOffset: 16 }],
        [
          'western australia',
          { label: 'Western Australia Time', iana: 'Australia/Perth', offset: 8, userOffset: 14 },
        ],
      ],
    },
    {
      rule: 'Australian central time zones (two codes) use offset 1550.',
      cases: [
        [
          'northern territory',
          { label: 'Northern Territory Time', iana: 'Australia/Darwin', offset: 9.5, userOffset: 1550 },
        ],
        [
          'south australia',
          { label: 'South Australia Time', iana: 'Australia/Adelaide', offset: 9.5, userOffset: 1550 },
        ],
      ],
    },
    {
      rule: 'Ours: places that hold accounts and keep another time than any zone above',
      cases: [
        [
          'newfoundland',
          { label: 'Newfoundland Time', iana: 'America/St_Johns', offset: -3.5, userOffset: 250 },
        ],
        [
          'puerto rico',
          { label: 'Puerto Rico Time', iana: 'America/Puerto_Rico', offset: -4, userOffset: 2 },
        ],
        ['manitoba', { label: 'Manitoba Time', iana: 'America/Winnipeg', offset: -5, userOffset: 1 }],
        [
          'british columbia',
          { label: 'British Columbia Time', iana: 'America/Vancouver', offset: -7, userOffset: -1 },
        ],
        ['moon', undefined],
      ],
    },
  ],
});

export const offsetFlagCases = ruleTable<number, boolean>({
  about: 'Time zone offsets that are flagged',
  file: 'contract/time/zones.ts',
  rows: [
    {
      rule: 'Time zone offsets below -4 or above 2 are flagged.',
      cases: [
        [-5, true],
        [-4, false],
        [0, false],
        [2, false],
        [3, true],
        [250, true],
        [1550, true],
      ],
    },
  ],
});

export const zoneSettingCases = ruleTable<
  [offset: number, observes: boolean, countryId?: number],
  string | undefined
>({
  about: 'From TimeZoneOffset and ObservesDaylightSavings to a zone',
  file: 'contract/time/zones.ts',
  rows: [
    {
      rule: 'Setting: TimeZoneOffset, ObservesDaylightSavings',
      cases: [
        [[-1, true], 'mountain'],
        [[-1, false], 'arizona'],
        [[0, true], 'central'],
        [[1, true], 'eastern'],
        [[1550, false], 'northern territory'],
        [[1550, true], 'south australia'],
        [[15.5, true], 'south australia'],
        [[-4, false], 'hawaii'],
        [[99, false], undefined],
      ],
    },
    {
      rule: 'Ours: where several places share a setting, the country of the account decides which name is shown',
      cases: [
        [[6, true, 4], 'gmt'],
        [[6, true, 16], 'ist'],
        [[14, false, 9], 'western australia'],
        [[14, false, 7], 'pht'],
        [[0, false, 3], 'mexico'],
        [[-1, false, 2], 'british columbia'],
      ],
    },
  ],
});

export const canadianCases = ruleTable<[zone: string, at: string], string>({
  about: 'Zone rules that changed in 2026',
  file: 'contract/time/zone-amendments.ts',
  rows: [
    {
      rule: 'British Columbia, Alberta, the Northwest Territories and Manitoba stopped changing clocks during 2026, and a runtime’s own zone data can be too old to know it',
      cases: [
        [['America/Vancouver', '2026-12-15T12:00:00Z'], 'UTC-07:00'],
        [['America/Vancouver', '2026-02-15T12:00:00Z'], 'UTC-08:00'],
        [['America/Edmonton', '2026-12-15T12:00:00Z'], 'UTC-06:00'],
        [['America/Edmonton', '2026-02-15T12:00:00Z'], 'UTC-07:00'],
        [['America/Inuvik', '2026-12-15T12:00:00Z'], 'UTC-06:00'],
        [['America/Winnipeg', '2026-12-15T12:00:00Z'], 'UTC-05:00'],
        [['America/Winnipeg', '2026-11-01T06:59:59Z'], 'UTC-05:00'],
        [['America/Winnipeg', '2026-11-01T08:30:00Z'], 'UTC-05:00'],
        [['America/Winnipeg', '2028-07-01T00:00:00Z'], 'UTC-05:00'],
        [['America/Winnipeg', '2026-02-15T12:00:00Z'], 'UTC-06:00'],
        [['Canada/Central', '2026-12-15T12:00:00Z'], 'UTC-05:00'],
      ],
    },
    {
      rule: 'Ours: their neighbors still change clocks',
      cases: [
        [['America/Los_Angeles', '2026-12-15T12:00:00Z'], 'UTC-08:00'],
        [['America/Denver', '2026-12-15T12:00:00Z'], 'UTC-07:00'],
        [['America/Chicago', '2026-12-15T12:00:00Z'], 'UTC-06:00'],
        [['America/Regina', '2026-12-15T12:00:00Z'], 'UTC-06:00'],
        [['America/Rankin_Inlet', '2026-12-15T12:00:00Z'], 'UTC-06:00'],
      ],
    },
  ],
});

export const zoneDataCases = ruleTable<{ release: string | undefined; supplied: string[] }, string>({
  about: 'Which zone data a build uses',
  file: 'contract/time/zone-offset.ts',
  rows: [
    {
      rule: 'Ours: zone rules come from the runtime (Node names its IANA release in process.versions.tz); a change that it is too old for comes from zone-amendments.ts. An operator updates them with a newer Node, or at once by pointing ICU_TIMEZONE_FILES_DIR at a folder with the newer zone files (.res) that the ICU project publishes',
      cases: [
        [{ release: '2026e', supplied: [] }, 'Time zones: IANA 2026e.'],
        [
          { release: '2026d', supplied: ['Manitoba'] },
          'Time zones: IANA 2026d, with the later rules of Manitoba (2026e).',
        ],
        [
          { release: '2026c', supplied: ['Northwest Territories', 'Manitoba'] },
          'Time zones: IANA 2026c, with the later rules of Northwest Territories (2026d), Manitoba (2026e).',
        ],
        [{ release: undefined, supplied: [] }, "Time zones: the browser's own data."],
      ],
    },
  ],
});
