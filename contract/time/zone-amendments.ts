/**
 * Zone rules that became law after many runtimes' zone data was made. Zone rules otherwise come from the
 * runtime (ICU's copy of the IANA database: Node's own on the server, the browser's on a page); where that
 * copy does not know a change yet, the row here is used instead, and where it does, the row is ignored.
 *
 * In 2026 four parts of Canada moved their clocks forward in March for the last time and did not move them
 * back on November 1. Node 26.10 carries 2026c: it knows the first two and needs the last two from here.
 *
 * An operator gets newer rules with a newer Node (`process.versions.tz` names its release), or at once by
 * pointing ICU_TIMEZONE_FILES_DIR at a folder with the four newer .res files that the ICU project publishes
 * (unicode-org/icu-data, tzdata/icunew); a browser updates its own.
 */
export interface ZoneAmendment {
  /** The place, as a reader knows it. */
  place: string;
  /** IANA names that follow the rule, aliases included. */
  zones: readonly string[];
  /** The IANA release that first contained it. */
  release: string;
  /** First instant at which old data gives another offset. */
  from: string;
  /** The offset that has held ever since. */
  offsetMinutes: number;
}

export const zoneAmendments: readonly ZoneAmendment[] = [
  {
    place: 'British Columbia',
    zones: ['America/Vancouver', 'Canada/Pacific'],
    release: '2026b',
    from: '2026-11-01T09:00:00Z',
    offsetMinutes: -7 * 60,
  },
  {
    place: 'Alberta',
    zones: ['America/Edmonton', 'Canada/Mountain', 'America/Yellowknife'],
    release: '2026c',
    from: '2026-11-01T08:00:00Z',
    offsetMinutes: -6 * 60,
  },
  {
    place: 'Northwest Territories',
    zones: ['America/Inuvik'],
    release: '2026d',
    from: '2026-11-01T08:00:00Z',
    offsetMinutes: -6 * 60,
  },
  {
    place: 'Manitoba',
    zones: ['America/Winnipeg', 'Canada/Central'],
    release: '2026e',
    from: '2026-11-01T07:00:00Z',
    offsetMinutes: -5 * 60,
  },
];
