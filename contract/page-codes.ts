/** The codes of refusals that pages act on. The other refusals are only shown, with the sentence that they bring. */
export const pageCodes = {
  conflict: 409,
  tooManyAttempts: 1002,
  passwordExpired: 1004,
  secondFactorNeeded: 1013,
  confirmationNeeded: 1014,
  secondFactorRequired: 1015,
} as const;
