import { type AuditArea, auditAreas } from '../../../contract/audit-areas.ts';
import { dayKey } from '../../ui/format.ts';

/** The filters, as written in the address. */
export interface AuditSearch {
  q?: string | undefined;
  who?: string | undefined;
  what?: AuditArea | undefined;
  object?: number | undefined;
  days?: (typeof dayRanges)[number] | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** Only this entry. */
  entry?: string | undefined;
}

const dayRanges = ['today', 'week', 'month', 'custom'] as const;

export const daysChoices = [
  { value: '', label: 'Any day' },
  { value: 'today', label: 'Today' },
  { value: 'week', label: 'Last 7 days' },
  { value: 'month', label: 'Last 30 days' },
  { value: 'custom', label: 'Choose days' },
];

const dayMs = 86_400_000;
const isDay = (text: unknown): text is string => typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text);

/** Drops what isn't a filter, so that a mistyped address still shows the log. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const { q, who, what, object, days, from, to, entry } = search;
  const area = auditAreas.find((each) => each === what);
  const range = dayRanges.find((each) => each === days);
  const person = String(who ?? '');
  const about = Number(object);
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...(/^(system|[1-9]\d{0,14})$/.test(person) ? { who: person } : {}),
    ...(area === undefined ? {} : { what: area }),
    ...(area !== undefined && Number.isSafeInteger(about) && about > 0 ? { object: about } : {}),
    ...(range === undefined ? {} : { days: range }),
    ...(isDay(from) ? { from } : {}),
    ...(isDay(to) ? { to } : {}),
    ...(typeof entry === 'string' && entry !== '' ? { entry } : {}),
  };
}

/** The query for the server: days in the user's own zone. */
export function auditQuery(search: AuditSearch, now: number, zone: string) {
  const { q, who, what, object, days, from, to, entry } = search;
  const today = dayKey(now, zone);
  const back = { today: 0, week: 6, month: 29 } as const;
  const first =
    days === undefined
      ? undefined
      : days === 'custom'
        ? from
        : dayKey(Date.parse(today) - back[days] * dayMs, 'UTC');
  const last = days === 'custom' ? to : undefined;
  return {
    ...(q === undefined ? {} : { q }),
    ...(who === undefined ? {} : { who: who === 'system' ? ('system' as const) : Number(who) }),
    ...(what === undefined ? {} : { what }),
    ...(object === undefined ? {} : { object }),
    ...(first === undefined ? {} : { 'date-from': first }),
    ...(last === undefined ? {} : { 'date-to': last }),
    ...(entry === undefined ? {} : { entry }),
  };
}
