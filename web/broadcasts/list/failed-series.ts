import type { Reply } from '../../../contract/call.ts';
import type { listRepeatingFailures } from '../../../contract/repeating-broadcasts.ts';

type Failure = Reply<typeof listRepeatingFailures>['Items'][number];

export interface FailedSeries {
  latest: Failure;
  /** Number of times that it could not start. */
  times: number;
}

/** One that fails every day is shown once, with the latest reason. */
export function bySeries(failures: readonly Failure[]): FailedSeries[] {
  const found = new Map<number, FailedSeries>();
  // The latest come first.
  for (const latest of failures) {
    const before = found.get(latest.RepeatingBroadcastID);
    if (before) before.times += 1;
    else found.set(latest.RepeatingBroadcastID, { latest, times: 1 });
  }
  return [...found.values()];
}
