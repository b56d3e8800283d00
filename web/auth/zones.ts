/** The specification's zones of the United States, by the names people use. */
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

/** Every other zone that the browser knows, with its own among them whatever it is called. */
export function otherZones(): string[] {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isUs = (zone: string) => usZones.some((one) => one.zone === zone);
  return [...new Set([...Intl.supportedValuesOf('timeZone'), own, 'UTC'])]
    .filter((zone) => !isUs(zone))
    .sort();
}
