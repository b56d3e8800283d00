import { describe, expect, test } from 'vitest';
import { broadcastTypes } from '../../../contract/reference/broadcast-types.ts';
import { purposeOf, reachOfType, typeName } from '../../pieces/broadcasts/broadcast-type.ts';
import { newDraft } from './draft-state.ts';
import { reachedBy, typePatch } from './draft-type.ts';

describe('the type of a draft', () => {
  test('every type that can be chosen is determined by its channel and its purpose', () => {
    for (const type of broadcastTypes.filter((each) => each !== 'SMS')) {
      const draft = { ...newDraft, BroadcastType: type };
      const patch = typePatch(draft, reachOfType(type), purposeOf(draft));
      expect(patch.BroadcastType).toBe(type);
    }
  });

  test('"Announcement and survey types turn [the calling-window check] on"', () => {
    expect(typePatch(newDraft, 'call', 'survey')).toEqual({
      BroadcastType: 'Survey',
      IsTextSurvey: false,
      CheckCallingWindow: true,
      RecipientsConfirmed: false,
      SecondText: null,
    });
    expect(typePatch(newDraft, 'both', 'survey')).toMatchObject({
      BroadcastType: 'SMSAndSurvey',
      IsTextSurvey: true,
    });
  });

  test('"Switching broadcast type resets confirmations", also when the old type is chosen again', () => {
    const confirmed = { ...newDraft, BroadcastType: 'Announcement' as const, RecipientsConfirmed: true };
    const survey = { ...confirmed, ...typePatch(confirmed, 'call', 'survey') } as typeof newDraft;
    expect(survey.RecipientsConfirmed).toBe(false);
    expect(typePatch(survey, 'call', 'announcement').RecipientsConfirmed).toBe(false);
  });

  test('a broadcast that calls has one text', () => {
    const SecondText = { TextMessage: 'Hello?', Share: 10, DecideBy: 'Replies', Hours: 2 } as const;
    const tried = { ...newDraft, SecondText };
    expect(typePatch(tried, 'both', 'announcement').SecondText).toBeNull();
    expect(typePatch(tried, 'text', 'survey')).not.toHaveProperty('SecondText');
  });

  test('"SMS clears audio, transfer … and turns off the calling-window check"', () => {
    const voice = {
      ...newDraft,
      BroadcastType: 'Announcement' as const,
      IsTransfer: true,
      RecordLater: true,
    };
    expect(typePatch(voice, 'text', 'announcement')).toEqual({
      BroadcastType: 'GroupSMS',
      IsTextSurvey: false,
      CheckCallingWindow: false,
      RecipientsConfirmed: false,
      Audio: null,
      AudioVM: null,
      RecordLater: false,
      RecordLaterVM: false,
      IsTransfer: false,
    });
  });

  test('how many people it reaches depends on the type', () => {
    const counts = { ...newDraft, TextNumberCount: 70, VoiceNumberCount: 30 };
    expect(reachedBy(counts)).toBe(70);
    expect(reachedBy({ ...counts, BroadcastType: 'Survey' })).toBe(30);
    expect(reachedBy({ ...counts, BroadcastType: 'SMSOrSurvey' })).toBe(100);
    expect(reachedBy({ ...counts, BroadcastType: 'SMSAndSurvey' })).toBe(70);
    expect(typeName({ BroadcastType: 'SMSOrAnnouncement', IsTextSurvey: false })).toBe(
      'Text or voice announcement',
    );
  });
});
