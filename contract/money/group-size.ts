/**
 * Monthly accounts pay for a group: how many different people they reach in a billing period. Group size
 * limits apply per billing period.
 */
export interface GroupSize {
  /** Different people reached in this period: UniqueCallCount. */
  UniqueCallCount: number;
  /** People the subscription allows: MonthlyLevel. */
  MonthlyLevel: number;
}

export interface GroupSizeCheck {
  isWithin: boolean;
  /** Number of people that the period would then count. */
  total: number;
  /** Number of additional people that the subscription would have to allow. */
  exceededBy: number;
}

/** `newPeople` are those of the broadcast that weren't reached in this period yet. */
export function checkGroupSize(
  { UniqueCallCount, MonthlyLevel }: GroupSize,
  newPeople: number,
): GroupSizeCheck {
  const total = UniqueCallCount + newPeople;
  const exceededBy = Math.max(0, total - MonthlyLevel);
  return { isWithin: exceededBy === 0, total, exceededBy };
}
