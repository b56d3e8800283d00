import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { completeWizard, wizardCases } from './broadcast-wizard.cases.ts';
import {
  chooseVoiceOption,
  completedSteps,
  furthestStep,
  isReadyToSend,
  switchBroadcastType,
  type VoiceOption,
} from './broadcast-wizard.ts';
import {
  fileUploadCases,
  integrationConnectCases,
  moreCreditsCases,
  pasteContactsCases,
  realtimeSocketCases,
  recorderCases,
  scheduledConversationCases,
  simplePasteCases,
} from './dialogs.cases.ts';
import {
  connectEvent,
  fileUploadDialog,
  integrationConnect,
  moreCreditsDialog,
  pasteContactsDialog,
  scheduledConversation,
  simplePasteDialog,
} from './dialogs.ts';
import type { Machine } from './machine.ts';
import { next } from './machine.ts';
import { realtimeSocket, reconnection, serverDisconnectDelayMs } from './realtime-socket.ts';
import { microphoneState, recorder } from './recorder.ts';
import { resultSegmentOf, resultTabs } from './result-views.ts';

/** Every state that the events lead through, the first included. Events come as text from the tables. */
function walk<State extends string, Event extends string>(machine: Machine<State, Event>) {
  return (events: string[]): string[] => {
    const states: State[] = [machine.initial];
    for (const event of events) states.push(next(machine, states.at(-1) ?? machine.initial, event as Event));
    return states;
  };
}

testRuleTable(recorderCases, walk(recorder));
testRuleTable(fileUploadCases, walk(fileUploadDialog));
testRuleTable(moreCreditsCases, walk(moreCreditsDialog));
testRuleTable(pasteContactsCases, walk(pasteContactsDialog));
testRuleTable(simplePasteCases, walk(simplePasteDialog));
testRuleTable(integrationConnectCases, walk(integrationConnect));
testRuleTable(scheduledConversationCases, walk(scheduledConversation));
testRuleTable(realtimeSocketCases, walk(realtimeSocket));
testRuleTable(wizardCases, (differences) => completedSteps({ ...completeWizard, ...differences }));

describe('every machine', () => {
  const machines = {
    recorder,
    fileUploadDialog,
    moreCreditsDialog,
    pasteContactsDialog,
    simplePasteDialog,
    integrationConnect,
    scheduledConversation,
    realtimeSocket,
  };

  it('reaches each of its states', () => {
    for (const [name, machine] of Object.entries(machines)) {
      const reached = new Set<string>([machine.initial]);
      for (const state of reached) {
        const transitions: Record<string, Record<string, string>> = machine.transitions;
        for (const target of Object.values(transitions[state] ?? {})) reached.add(target);
      }
      expect([name, [...reached].sort()]).toEqual([name, Object.keys(machine.transitions).sort()]);
    }
  });
});

describe('broadcast wizard', () => {
  it('sends only when all four steps are complete, and opens no step after the first incomplete one', () => {
    expect(isReadyToSend(completeWizard)).toBe(true);
    expect(isReadyToSend({ ...completeWizard, hasEnoughCredits: false })).toBe(false);
    expect(furthestStep(completeWizard)).toBe(4);
    expect(furthestStep({ ...completeWizard, recipientCount: 0 })).toBe(2);
    expect(furthestStep({ ...completeWizard, nameError: 'Enter a Broadcast Name', recipientCount: 0 })).toBe(
      1,
    );
  });

  it('Switching broadcast type resets confirmations; SMS clears audio, transfer and caller ID errors and turns off the calling-window check', () => {
    const form = {
      BroadcastType: 'Announcement',
      CheckCallingWindow: true,
      Audio: { AudioID: 1 },
      AudioVM: { AudioID: 2 },
      IsTransfer: true,
      CallerIDError: 'Enter a Caller ID',
      isRecipientsConfirmed: true,
      isMessagesConfirmed: true,
      BroadcastName: 'Snow day',
    } as const;
    expect(switchBroadcastType(form, 'SMS')).toEqual({
      BroadcastType: 'SMS',
      CheckCallingWindow: false,
      Audio: null,
      AudioVM: null,
      IsTransfer: false,
      CallerIDError: undefined,
      isRecipientsConfirmed: false,
      isMessagesConfirmed: false,
      BroadcastName: 'Snow day',
    });
    const survey = switchBroadcastType({ ...form, CheckCallingWindow: false }, 'Survey');
    expect(survey).toMatchObject({
      CheckCallingWindow: true,
      Audio: { AudioID: 1 },
      IsTransfer: true,
      isMessagesConfirmed: false,
    });
  });

  it('Changing the voice option toggles record-later', () => {
    const form: { voiceOption: VoiceOption; RecordLater: boolean } = {
      voiceOption: 'create message',
      RecordLater: false,
    };
    expect(chooseVoiceOption(form, 'record later')).toEqual({
      voiceOption: 'record later',
      RecordLater: true,
    });
    expect(
      chooseVoiceOption({ voiceOption: 'record later', RecordLater: true }, 'select message').RecordLater,
    ).toBe(false);
  });
});

describe('recorder and integrations', () => {
  it('Microphone states: no-devices, denied, prompt', () => {
    expect(microphoneState(0, 'granted')).toBe('no-devices');
    expect(microphoneState(1, 'denied')).toBe('denied');
    expect(microphoneState(1, 'prompt')).toBe('prompt');
    expect(microphoneState(1, 'granted')).toBeUndefined();
  });

  it('a redirect opens in a new window or a dialog; without one the integration is connected', () => {
    expect(connectEvent({ RedirectUrl: 'https://example.org', ShowInNewWindow: true })).toBe('open window');
    expect(connectEvent({ RedirectUrl: 'https://example.org' })).toBe('open dialog');
    expect(connectEvent({ RedirectUrl: null })).toBe('connected');
  });
});

describe('result views', () => {
  it('The last path segment selects a result filter', () => {
    expect(resultSegmentOf('/broadcast-details/12/opted-out')).toBe('opted-out');
    expect(resultSegmentOf('/broadcast-details/12')).toBeUndefined();
    expect(resultSegmentOf('')).toBeUndefined();
  });

  it('Read only for RCS-capable numbers', () => {
    const sms = { BroadcastType: 'SMS', IsTextSurvey: false, IsTransfer: false, isRcs: false } as const;
    expect(resultTabs(sms)).toEqual([
      'All Texts',
      'Delivered',
      'Failed',
      'Invalid',
      'Incomplete',
      'Opted Out',
      'Replied',
      'Not Replied',
    ]);
    expect(resultTabs({ ...sms, isRcs: true })).toContain('Read');
    expect(resultTabs({ ...sms, IsTextSurvey: true })).toContain('All Text Survey Results');
    const survey = resultTabs({ ...sms, BroadcastType: 'Survey' });
    expect(survey).toEqual([
      'All Calls',
      'Live Answer',
      'Voicemail',
      'Busy / No Answer',
      'Invalid',
      'Incomplete',
      'All Survey Results',
    ]);
    expect(resultTabs({ ...sms, BroadcastType: 'SMSAndAnnouncement', IsTransfer: true })).toEqual(
      expect.arrayContaining(['All Calls', 'Transfers', 'All Texts']),
    );
  });
});

describe('real-time socket', () => {
  it('6 reconnection attempts; server-disconnect backoff 2^n seconds plus 1-2 s jitter capped at 60 s', () => {
    expect(reconnection).toEqual({ attempts: 6, delayMs: 15_000, maxDelayMs: 6_000 });
    expect(serverDisconnectDelayMs(0, 0)).toBe(2000);
    expect(serverDisconnectDelayMs(3, 1)).toBe(10_000);
    expect(serverDisconnectDelayMs(5, 0.5)).toBe(33_500);
    expect(serverDisconnectDelayMs(6, 0)).toBe(60_000);
    expect(serverDisconnectDelayMs(1e9, 1)).toBe(60_000);
  });
});
