import { ruleTable } from '../testing/rule-table.ts';
import type { WizardState, WizardStep } from './broadcast-wizard.ts';

/** A call broadcast with everything filled in. */
export const completeWizard: WizardState = {
  BroadcastType: 'Announcement',
  startOption: 'START_IMMEDIATELY',
  isRecipientsConfirmed: true,
  recipientCount: 400,
  liveVoice: 'audio',
  voicemailVoice: 'audio',
  isTextTooLong: false,
  isVoiceTooLong: false,
  isMessagesConfirmed: true,
  hasEnoughCredits: true,
};

export const wizardCases = ruleTable<Partial<WizardState>, WizardStep[]>({
  about: 'Steps of the broadcast wizard that are complete (a complete announcement, with these differences)',
  file: 'contract/states/broadcast-wizard.ts',
  rows: [
    { rule: 'Steps 1 to 4 with a tracked list of completed steps', cases: [[{}, [1, 2, 3, 4]]] },
    {
      rule: 'Step 1 is complete when there is no name, caller ID, start-time or repeating-schedule error',
      cases: [
        [{ nameError: 'Enter a Broadcast Name' }, [2, 3, 4]],
        [{ callerIdError: 'Enter a Caller ID' }, [2, 3, 4]],
        [{ startOption: 'START_LATER', startTimeError: 'Start Time must be in the future.' }, [2, 3, 4]],
        [
          { startOption: 'REPEATING', repeatingScheduleError: 'Must be greater than or equal to 1' },
          [2, 3, 4],
        ],
      ],
    },
    {
      rule: 'Ours: an error of what the broadcast doesn’t use doesn’t count',
      cases: [
        [{ BroadcastType: 'SMS', callerIdError: 'Enter a Caller ID' }, [1, 2, 3, 4]],
        [
          { startOption: 'START_IMMEDIATELY', startTimeError: 'Start Time must be in the future.' },
          [1, 2, 3, 4],
        ],
        [
          { startOption: 'START_LATER', repeatingScheduleError: 'Must be greater than or equal to 1' },
          [1, 2, 3, 4],
        ],
      ],
    },
    {
      rule: 'Step 2 is complete when recipients are confirmed. Text-only flows skip the confirmation.',
      cases: [
        [{ isRecipientsConfirmed: false }, [1, 3, 4]],
        [{ isRecipientsConfirmed: false, BroadcastType: 'SMS' }, [1, 2, 3, 4]],
        [{ isRecipientsConfirmed: false, BroadcastType: 'GroupSMS' }, [1, 2, 3, 4]],
        [{ isRecipientsConfirmed: false, BroadcastType: 'SMSAndAnnouncement' }, [1, 3, 4]],
        [{ recipientCount: 0, BroadcastType: 'SMS' }, [1, 3, 4]],
      ],
    },
    {
      rule: 'Step 3 is incomplete on voice or text message errors, a missing recording choice, or messages over length',
      cases: [
        [{ voiceError: 'Message text is required' }, [1, 2, 4]],
        [{ liveVoice: 'none' }, [1, 2, 4]],
        [{ voicemailVoice: 'none' }, [1, 2, 4]],
        [{ isVoiceTooLong: true }, [1, 2, 4]],
        [{ BroadcastType: 'SMS', textError: 'Enter a Text Message.' }, [1, 2, 4]],
        [{ BroadcastType: 'SMS', isTextTooLong: true }, [1, 2, 4]],
        [{ BroadcastType: 'SMS', liveVoice: 'none', voicemailVoice: 'none' }, [1, 2, 3, 4]],
        [{ BroadcastType: 'SMSOrSurvey', liveVoice: 'none' }, [1, 2, 4]],
      ],
    },
    {
      rule: 'Repeating broadcasts cannot use the call-in recording option',
      cases: [
        [{ liveVoice: 'record later', voicemailVoice: 'record later' }, [1, 2, 3, 4]],
        [{ liveVoice: 'record later', startOption: 'REPEATING' }, [1, 2, 4]],
        [{ voicemailVoice: 'record later', startOption: 'REPEATING' }, [1, 2, 4]],
      ],
    },
    {
      rule: 'Step 4 needs confirmed messages and enough credits',
      cases: [
        [{ isMessagesConfirmed: false }, [1, 2, 3]],
        [{ hasEnoughCredits: false }, [1, 2, 3]],
      ],
    },
  ],
});
