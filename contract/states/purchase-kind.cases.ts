import { ruleTable } from '../testing/rule-table.ts';
import type { PurchaseKind, PurchaseQuestion, TitleQuestion } from './purchase-kind.ts';

const account = { MonthlyLevel: 500, IsFreeTrial: false, isActive: true };
const monthly = (groupSize: number, more: Partial<PurchaseQuestion> = {}): PurchaseQuestion => ({
  mode: 'monthly subscription',
  account,
  groupSize,
  ...more,
});

export const purchaseKindCases = ruleTable<PurchaseQuestion, PurchaseKind | undefined>({
  about: 'Purchase kind (the account is at level 500 unless said otherwise)',
  file: 'contract/states/purchase-kind.ts',
  rows: [
    {
      rule: 'Credited group-size increase when a partial credit applies',
      cases: [
        [monthly(1000, { partialCreditCents: 1500 }), 'credited group-size increase'],
        [monthly(1000, { partialCreditCents: 0 }), 'new subscription'],
      ],
    },
    {
      rule: 'New subscription when group size exceeds the current level, or on a free trial, or on reactivation',
      cases: [
        [monthly(501), 'new subscription'],
        [monthly(100, { account: { ...account, IsFreeTrial: true } }), 'new subscription'],
        [monthly(100, { isReactivation: true }), 'new subscription'],
        [monthly(100, { account: { ...account, MonthlyLevel: null } }), 'new subscription'],
      ],
    },
    {
      rule: 'Group-size decrease when the new tier is at or below the current level and the account is active',
      cases: [
        [monthly(500), 'group-size decrease'],
        [monthly(100), 'group-size decrease'],
        [monthly(100, { account: { ...account, isActive: false } }), 'new subscription'],
      ],
    },
    {
      rule: 'Unlimited one-to-one for a text-number add-on. Also unlimited one-to-one reactivate and auto-refill credits.',
      cases: [
        [{ mode: 'flat-rate text number', account }, 'unlimited one-to-one'],
        [{ mode: 'flat-rate text number', account, isReactivation: true }, 'unlimited one-to-one reactivate'],
        [{ mode: 'auto refill', account }, 'auto-refill credits'],
      ],
    },
    {
      rule: 'Ours: credits are credits; an invoice, add-on charges and a conversion buy nothing new',
      cases: [
        [{ mode: 'credits', account }, 'credits'],
        [{ mode: 'pay invoice', account }, undefined],
        [{ mode: 'monthly add-on charges', account }, undefined],
        [{ mode: 'convert to pay-as-you-go', account }, undefined],
      ],
    },
  ],
});

const title = (mode: TitleQuestion['mode'], more: Partial<TitleQuestion> = {}): TitleQuestion => ({
  mode,
  IsFreeTrial: false,
  isReactivation: false,
  totalCents: 1000,
  ...more,
});

export const purchaseTitleCases = ruleTable<TitleQuestion, string>({
  about: 'Purchase dialog titles',
  file: 'contract/states/purchase-kind.ts',
  rows: [
    {
      rule: 'Enable Unlimited Conversations; Upgrade Your Account; Pay Invoice; Reactivate Your Account; Pay & Switch to Credits; Confirm Your Changes and Pay; Confirm Your Changes; Buy Credits',
      cases: [
        [title('flat-rate text number'), 'Enable Unlimited Conversations'],
        [title('monthly subscription', { IsFreeTrial: true }), 'Upgrade Your Account'],
        [title('credits', { IsFreeTrial: true }), 'Upgrade Your Account'],
        [title('pay invoice'), 'Pay Invoice'],
        [title('monthly subscription', { isReactivation: true }), 'Reactivate Your Account'],
        [title('credits', { isReactivation: true }), 'Reactivate Your Account'],
        [title('convert to pay-as-you-go'), 'Pay & Switch to Credits'],
        [title('monthly subscription'), 'Confirm Your Changes and Pay'],
        [title('monthly subscription', { totalCents: 0 }), 'Confirm Your Changes'],
        [title('credits'), 'Buy Credits'],
      ],
    },
    {
      rule: 'Other titles: Monthly Enhanced Text Add-On Charges',
      cases: [[title('monthly add-on charges'), 'Monthly Enhanced Text Add-On Charges']],
    },
  ],
});

export const upgradePathCases = ruleTable<[current: string, target: string], string>({
  about: 'Paths of the purchase flows',
  file: 'contract/states/purchase-kind.ts',
  rows: [
    {
      rule: 'A target path gets /v2 appended when the current path ends with /v2',
      cases: [
        [['/upgrade/monthly/v2', '/upgrade/payment'], '/upgrade/payment/v2'],
        [['/upgrade/monthly', '/upgrade/payment'], '/upgrade/payment'],
        [['/upgrade/monthly/v2', '/upgrade/payment/v2'], '/upgrade/payment/v2'],
      ],
    },
  ],
});
