import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import {
  accountConditionCases,
  accountTypeCases,
  endingSoonCases,
  endsWithoutRenewalCases,
  purchaseToGoOnCases,
} from './account-status.cases.ts';
import {
  accountCondition,
  accountTypeLabel,
  endsWithoutRenewal,
  isEndingSoon,
  isInvoiced,
  isMonthly,
  mayReactivate,
  maySend,
  purchaseToGoOn,
} from './account-status.ts';
import {
  awaitingCases,
  broadcastEventCases,
  broadcastLabelCases,
  invoiceResendCases,
} from './broadcast-status.cases.ts';
import {
  awaitingWords,
  broadcastLabel,
  broadcastMachine,
  broadcastStatuses,
  categoryOf,
} from './broadcast-status.ts';
import {
  conversationEventCases,
  eventStart,
  inboxTitleCases,
  unreadCases,
} from './conversation-state.cases.ts';
import { afterConversationEvent, inboxTitle, isUnread } from './conversation-state.ts';
import { invoiceResendStatus, isOutstanding } from './invoice-status.ts';
import { allows, next } from './machine.ts';
import { onboardingCases, termsCases } from './onboarding-steps.cases.ts';
import {
  currentOnboardingStep,
  mustAcceptTerms,
  onboardingStepNames,
  onboardingSteps,
  visibleOnboardingSteps,
} from './onboarding-steps.ts';
import { purchaseKindCases, purchaseTitleCases, upgradePathCases } from './purchase-kind.cases.ts';
import { purchaseDialogTitle, purchaseKind, reviewButton, upgradePath } from './purchase-kind.ts';
import { registrationStepCases } from './registration-request.cases.ts';
import { registrationStep, registrationSteps } from './registration-request.ts';
import { registeredForTextingCases, registrationShownCases } from './registration-status.cases.ts';
import { isRegisteredForTexting, registrationStatusShown } from './registration-status.ts';
import { billingBlockCases, unlimitedOfferCases } from './unlimited-conversations.cases.ts';
import { isBlockedByBilling, unlimitedConversationsOffer } from './unlimited-conversations.ts';

const nowMs = Date.parse('2026-11-15T12:00:00Z');

testRuleTable(registrationShownCases, ({ CountryID, ...number }) =>
  registrationStatusShown(number, CountryID),
);
testRuleTable(registeredForTextingCases, ({ CountryID, ...number }) =>
  isRegisteredForTexting(number, CountryID),
);
testRuleTable(
  unlimitedOfferCases,
  ({ status, AccountTypeID, registration = 'Registered', phone = '4235550143', CountryID = 1 }) =>
    unlimitedConversationsOffer(
      { FlatRateConversationStatus: status, RegistrationStatus: registration, TextPhoneNumber: phone },
      { AccountTypeID, CountryID },
    ),
);
testRuleTable(billingBlockCases, ({ status, end }) =>
  isBlockedByBilling({ FlatRateConversationStatus: status, FlatRateSubscriptionEndDate: end }, nowMs),
);
testRuleTable(registrationStepCases, (request) =>
  registrationStep(
    request && {
      status: request.status,
      brand: request.entityType === undefined ? {} : { entityType: request.entityType },
    },
  ),
);
testRuleTable(accountConditionCases, (account) => accountCondition(account, nowMs));
testRuleTable(endingSoonCases, (end) => isEndingSoon(end, nowMs));
testRuleTable(endsWithoutRenewalCases, ({ AccountTypeID, AccountStatusID = 0, end, renews = false }) =>
  endsWithoutRenewal(
    { AccountTypeID, AccountStatusID, SubscriptionEndDate: end, InvoiceRenewal: { AutoRenewal: renews } },
    nowMs,
  ),
);
testRuleTable(purchaseToGoOnCases, (AccountTypeID) => purchaseToGoOn({ AccountTypeID }));
testRuleTable(accountTypeCases, accountTypeLabel);
testRuleTable(purchaseKindCases, purchaseKind);
testRuleTable(purchaseTitleCases, purchaseDialogTitle);
testRuleTable(upgradePathCases, ([current, target]) => upgradePath(current, target));
testRuleTable(unreadCases, isUnread);
testRuleTable(conversationEventCases, ([before, event]) => {
  const start = { ...eventStart, ...before };
  const { IsDone, IsAutoOptOut, OptedIn, OptedOut, UnreadCount, LastMessage } = afterConversationEvent(
    start,
    event,
  );
  return {
    ...(IsDone === start.IsDone ? {} : { IsDone }),
    ...(IsAutoOptOut === start.IsAutoOptOut ? {} : { IsAutoOptOut }),
    ...(OptedIn === start.OptedIn ? {} : { OptedIn }),
    ...(OptedOut === start.OptedOut ? {} : { OptedOut }),
    ...(UnreadCount === start.UnreadCount ? {} : { UnreadCount }),
    ...(LastMessage?.IsInbound === start.LastMessage?.IsInbound ? {} : { LastMessage }),
  };
});
testRuleTable(inboxTitleCases, inboxTitle);
testRuleTable(broadcastLabelCases, (state) => broadcastLabel(state, nowMs));
testRuleTable(awaitingCases, awaitingWords);
testRuleTable(broadcastEventCases, ([status, event]) => next(broadcastMachine, status, event));
testRuleTable(invoiceResendCases, invoiceResendStatus);
testRuleTable(onboardingCases, (text) => {
  const given = text.split(' ').map((word) => {
    const Name = onboardingSteps.find((step) => word.replace('✓', '') === step);
    if (!Name) throw new Error(`no step: ${word}`);
    return { Name, Completed: word.endsWith('✓') };
  });
  const visible = visibleOnboardingSteps(given).map(
    ({ Name, Completed }) => `${Name}${Completed ? '✓' : ''}`,
  );
  return { visible: visible.join(' '), current: currentOnboardingStep(given) };
});
testRuleTable(termsCases, mustAcceptTerms);

describe('accounts', () => {
  it('send while they are active or their subscription runs, and can be reactivated only after that', () => {
    for (let id = 0; id <= 8; id++) {
      const account = { AccountStatusID: id, SubscriptionEndDate: '2027-01-01T00:00:00Z' };
      expect(maySend(account, nowMs)).toBe(id === 0 || id === 8);
      expect(mayReactivate(account, nowMs)).toBe([2, 3, 4, 7].includes(id));
      expect(maySend(account, nowMs) && mayReactivate(account, nowMs)).toBe(false);
    }
  });

  it('are monthly or pay by credits, invoiced or not', () => {
    expect([0, 1, 2, 3].map((AccountTypeID) => isMonthly({ AccountTypeID }))).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect([0, 1, 2, 3].map((AccountTypeID) => isInvoiced({ AccountTypeID }))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it('Review buttons: Start Subscription, Review Changes', () => {
    expect(reviewButton('new subscription')).toBe('Start Subscription');
    expect(reviewButton('group-size decrease')).toBe('Review Changes');
  });

  it('owe what is unpaid or partially paid', () => {
    expect(['Unpaid', 'Partially Paid', 'Pending', 'Paid', 'Voided'].filter(isOutstanding)).toEqual([
      'Unpaid',
      'Partially Paid',
    ]);
  });
});

describe('text registration stepper', () => {
  it('has the specification’s steps and headers', () => {
    expect(registrationSteps.map(({ step }) => step)).toEqual([
      'Register to Text',
      'Email Verification',
      'Phone Verification',
      'Under Review',
      'Complete',
    ]);
    expect(registrationSteps.map(({ header }) => header)).toEqual([
      'Register to Send Text Messages',
      'Email Verification',
      'Phone Verification',
      'Application Under Review',
      'Text Registration Complete',
    ]);
  });

  it('names each onboarding step of the second list once', () => {
    expect(new Set(Object.values(onboardingStepNames))).toEqual(new Set(onboardingSteps));
  });
});

describe('conversations', () => {
  const event = fc.oneof(
    fc
      .constantFrom('outgoing', 'read', 'mark unread', 'done', 'not done', 'auto opt-out')
      .map((type) => ({ type }) as const),
    fc
      .constantFrom(undefined, 'stop', 'unstop', 'help', 'join')
      .map((word) => ({ type: 'incoming', word }) as const),
  );

  it('stay consistent whatever happens to them', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let state = eventStart;
        for (const one of events) {
          const before = state;
          state = afterConversationEvent(state, one);
          expect(state.UnreadCount).toBeGreaterThanOrEqual(0);
          if (state.IsDone) expect(isUnread(state)).toBe(false);
          if (one.type === 'incoming' && one.word === 'stop') expect(state.OptedOut).toBe(true);
          if (one.type === 'incoming' && one.word === undefined) expect(state.OptedOut).toBe(before.OptedOut);
        }
        const last = events.findLast(
          (one) =>
            one.type === 'auto opt-out' || (one.type === 'incoming' && one.word && one.word !== 'help'),
        );
        const isOut =
          last !== undefined &&
          (last.type === 'auto opt-out' || (last.type === 'incoming' && last.word === 'stop'));
        expect(state.OptedOut).toBe(isOut);
      }),
    );
  });
});

describe('broadcasts', () => {
  it('are never over and under way at once', () => {
    for (const status of broadcastStatuses) {
      const isOver = categoryOf(status) === 'Completed';
      // Once carriers have all of it, nothing can be canceled.
      expect(allows(broadcastMachine, status, 'cancel')).toBe(!isOver && status !== 'Sent');
      if (isOver)
        expect(
          ['pause', 'resume', 'start', 'finish'].some(
            (event) => event in broadcastMachine.transitions[status],
          ),
        ).toBe(false);
    }
  });

  it('come to an end from every state', () => {
    for (const status of broadcastStatuses) {
      const end = status === 'Sent' ? 'finish' : 'cancel';
      expect(['Completed', 'Canceled']).toContain(next(broadcastMachine, status, end));
    }
  });
});
