import { dayKey } from '../../ui/format.ts';
import type { AuditSearch } from './audit-search.ts';

export const daysChoices = [
  { value: '', label: 'Any day' },
  { value: 'today', label: 'Today' },
  { value: 'week', label: 'Last 7 days' },
  { value: 'month', label: 'Last 30 days' },
  { value: 'custom', label: 'Choose days' },
];

const dayMs = 86_400_000;

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
