import { audioNameLength } from '../../../../contract/audio.ts';
import type { DraftBroadcast } from '../../../../contract/drafts.ts';
import { defaults } from '../../../../contract/reference/limits.ts';
import type { VoicePart } from './voice-state.ts';

/** The name in the library of a message that is made here. */
export function messageName({ BroadcastName }: DraftBroadcast, part: VoicePart): string {
  const end = part === 'AudioVM' ? ', voicemail' : '';
  const name = BroadcastName.trim() || defaults.broadcastName;
  return name.slice(0, audioNameLength - end.length) + end;
}
