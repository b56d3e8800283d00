import { useRouterState } from '@tanstack/react-router';
import { upgradePath } from '../../../contract/states/purchase-kind.ts';

type Target = '/upgrade/monthly' | '/upgrade/pay-as-you-go' | '/upgrade/payment';

/** The path of the upgrade's next step: a path that ends with /v2 leads to others that do. */
export function useUpgradePath() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return <To extends Target>(target: To) => upgradePath(path, target) as To | `${To}/v2`;
}
