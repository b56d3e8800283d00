/** The spec's United States time zones, by their common names. */
export const usZones = [
  { zone: 'America/New_York', label: 'Eastern' },
  { zone: 'America/Chicago', label: 'Central' },
  { zone: 'America/Denver', label: 'Mountain' },
  { zone: 'America/Phoenix', label: 'Arizona' },
  { zone: 'America/Los_Angeles', label: 'Pacific' },
  { zone: 'America/Anchorage', label: 'Alaska' },
  { zone: 'Pacific/Honolulu', label: 'Hawaii' },
  { zone: 'America/Puerto_Rico', label: 'Atlantic' },
] as const;

/** All other time zones the browser knows, always including its own. */
export function otherZones(): string[] {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isUs = (zone: string) => usZones.some((one) => one.zone === zone);
  return [...new Set([...Intl.supportedValuesOf('timeZone'), own, 'UTC'])]
    .filter((zone) => !isUs(zone))
    .sort();
}
