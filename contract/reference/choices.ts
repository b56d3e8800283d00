/** Lists of choices that no calculation uses. */

export const cancelReasons = [
  'End of season / Seasonal Usage',
  'Not using the service enough',
  'No longer needed',
  'Price is too high',
  'Problem with phone calls or texts',
  'Problem with the website',
  'Problem with customer service',
  'Other',
] as const;

/** Judgments of a picture, and who made them. */
export const explicitStatuses = {
  CleanByService: 3,
  CleanByUser: 4,
  ExplicitByService: 5,
  ExplicitByUser: 6,
} as const;

export const optOutFilters = ['all', 'voice', 'text', 'both'] as const;
export const usageUserFilters = ['all users', 'enabled', 'disabled'] as const;
export const usageDisplays = ['credits', 'messages'] as const;
