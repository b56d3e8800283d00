/** What the log can be narrowed to. */
export const auditAreas = [
  'security',
  'users',
  'account',
  'billing',
  'numbers',
  'broadcasts',
  'conversations',
  'contacts',
  'library',
  'integrations',
  'other',
] as const;
export type AuditArea = (typeof auditAreas)[number];
