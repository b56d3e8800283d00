import { exceedsLength } from '../../../contract/text/text-length.ts';
import { useUser } from '../../queries/current-user.ts';
import { Notice } from '../../ui/notice.tsx';
import { asSent } from './text-rules.ts';

/** The user's character count (DefaultSettingCharacterCount) is what they aim for: a longer text may go out. */
export function UsualLength({ text, isBand = false }: { text: string; isBand?: boolean }) {
  const count = useUser()?.DefaultSettingCharacterCount;
  if (count === undefined || !exceedsLength(asSent(text).trim(), count)) return null;
  return <Notice isBand={isBand}>Longer than the {count} characters you aim for.</Notice>;
}
