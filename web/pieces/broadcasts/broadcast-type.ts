import type { Broadcast } from '../../../contract/broadcasts.ts';
import { type BroadcastType, placesCalls, sendsTexts } from '../../../contract/money/units.ts';
import { say } from '../../ui/say.ts';

/** Ways to reach people: by text, by a call, by whichever works, or by both. */
export type Reach = 'text' | 'call' | 'either' | 'both';
/** Something is told, or asked. */
export type Purpose = 'announcement' | 'survey';

type Typed = Pick<Broadcast, 'BroadcastType' | 'IsTextSurvey'>;

export function reachOfType(type: BroadcastType): Reach {
  if (!placesCalls(type)) return 'text';
  if (!sendsTexts(type)) return 'call';
  return type.startsWith('SMSAnd') ? 'both' : 'either';
}

export function purposeOf({ BroadcastType: type, IsTextSurvey }: Typed): Purpose {
  const isSurvey = placesCalls(type) ? type.includes('Survey') : IsTextSurvey;
  return isSurvey ? 'survey' : 'announcement';
}

const typeNames: Record<Reach, Record<Purpose, string>> = {
  text: { announcement: say('Text'), survey: 'Text survey' },
  call: { announcement: 'Voice announcement', survey: 'Voice survey' },
  either: { announcement: 'Text or voice announcement', survey: 'Text or voice survey' },
  both: { announcement: 'Text and voice announcement', survey: 'Text and voice survey' },
};

/** "Voice survey", "Text or voice announcement". */
export function typeName(typed: Typed): string {
  return typeNames[reachOfType(typed.BroadcastType)][purposeOf(typed)];
}

/** Shown in place of the text of a broadcast that has none: its type. */
export function wordlessSnippet(typed: Typed): string {
  return placesCalls(typed.BroadcastType) ? typeName(typed) : 'A picture';
}
