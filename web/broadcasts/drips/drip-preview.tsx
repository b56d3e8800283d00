import Box from '@mui/material/Box';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { mergeSingle } from '../../../contract/addresses/drafts.gen.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { callApi } from '../../api.ts';
import { Handset, HandsetBubble, HandsetPicture, HandsetTime } from '../../pieces/texts/handset.tsx';
import { useAccount, useTimeZone } from '../../queries/current-user.ts';
import { formatTime } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import { useTextNumbers } from '../wizard/text-numbers.ts';
import type { OpenDrip } from './drip-state.ts';

interface PreviewProps {
  drip: OpenDrip;
  at: number;
  numberId: number | null;
  good: number;
}

/** A telephone with the open step and the one before it, as the first recipient gets them. */
export function DripPreview({ drip, at, numberId, good }: PreviewProps) {
  const account = useAccount();
  const zone = useTimeZone();
  const now = useNow();
  const { all } = useTextNumbers();
  const number = all.find(({ TextNumberID }) => TextNumberID === numberId);
  const shown = drip.draft.steps.slice(Math.max(0, at - 1), at + 1);
  return (
    <Box sx={{ position: 'sticky', top: 88 }}>
      <Handset
        organization={account?.CompanyName ?? ''}
        sender={number ? formatPhone(number.TextPhoneNumber) : ''}
        time={formatTime(new Date(now).toISOString(), zone).replace(/ [AP]M$/, '')}
        isEmpty={shown.every(({ message, picture }) => message.trim() === '' && picture === undefined)}
      >
        {shown.map((step) => (
          <Box key={step.key} sx={{ display: 'contents' }}>
            <HandsetTime>{step.hasWait ? step.time : 'Now'}</HandsetTime>
            {step.picture && <HandsetPicture src={step.picture.preview} />}
            <Bubble drip={drip} text={step.message} good={good} />
          </Box>
        ))}
      </Handset>
    </Box>
  );
}

function Bubble({ drip: { sequence }, text, good }: { drip: OpenDrip; text: string; good: number }) {
  const DraftBroadcastID = sequence?.DraftBroadcastID ?? 0;
  const body = {
    TemplateText: useDebounced(text),
    IncludeSignature: false,
    KeepCharacters: false,
    HasMedia: false,
    Position: 1,
  };
  const { data } = useQuery({
    queryKey: [mergeSingle.path, DraftBroadcastID, good, body],
    queryFn: ({ signal }) =>
      callApi(mergeSingle, { params: { DraftBroadcastID }, body }, { signal, missing: 'refuse' }),
    enabled: DraftBroadcastID !== 0 && good > 0 && text.includes('{{'),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const words = text.includes('{{') ? (data?.TextMessage ?? text) : text;
  return words.trim() === '' ? null : <HandsetBubble>{words}</HandsetBubble>;
}
