import { type AuditArea, auditAreas } from '../../../contract/audit-areas.ts';

/** The filters, as written in the address. The router reads them before any page is loaded. */
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
