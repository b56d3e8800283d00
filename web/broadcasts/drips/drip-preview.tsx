import Box from '@mui/material/Box';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mergeSingle } from '../../../contract/addresses/drafts.gen.ts';
import { dripStepMs } from '../../../contract/forms/drip.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { callApi } from '../../api.ts';
import { Handset, HandsetBubble, HandsetPicture, HandsetTime } from '../../pieces/texts/handset.tsx';
import { useAccount, useTimeZone } from '../../queries/current-user.ts';
import { formatDay, formatTime } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import { PreviewStepper } from '../wizard/message/handset-preview.tsx';
import { useTextNumbers } from '../wizard/text-numbers.ts';
import type { OpenDrip } from './drip-state.ts';
import { afterWords, type EditedStep } from './drip-words.ts';

interface PreviewProps {
  drip: OpenDrip;
  /** The step that is open. */
  at: number;
  numberId: number | null;
  /** Number of people who get it; none where people join. */
  good: number;
}

/** A telephone with the open step and the one before it, as one of the recipients gets them. */
export function DripPreview({ drip, at, numberId, good }: PreviewProps) {
  const account = useAccount();
  const zone = useTimeZone();
  const now = useNow();
  const [position, setPosition] = useState(1);
  const { all } = useTextNumbers();
  const number = all.find(({ TextNumberID }) => TextNumberID === numberId);
  const { steps, startsOn } = drip.draft;
  const shown = steps.slice(Math.max(0, at - 1), at + 1);
  const open = steps[at];
  const person = Math.min(position, Math.max(1, good));
  const previewed = useMerged(drip, { text: open?.message ?? '', position: person, good });
  const timeOf = (step: EditedStep) => (step.hasWait ? dripStepMs(step, zone) : now);
  const clock = open && startsOn === 'dates' ? (timeOf(open) ?? now) : now;
  return (
    <Box sx={{ position: 'sticky', top: 88, display: 'grid', justifyItems: 'center', gap: 2 }}>
      <Handset
        organization={account?.CompanyName ?? ''}
        sender={number ? formatPhone(number.TextPhoneNumber) : ''}
        time={formatTime(clock, zone).replace(/ [AP]M$/, '')}
        isEmpty={shown.every(({ message, picture }) => message.trim() === '' && picture === undefined)}
      >
        {shown.map((step) => {
          const atMs = timeOf(step);
          const [day = ''] = atMs === undefined ? [] : formatDay(atMs, now, zone).split(',', 1);
          const when =
            startsOn === 'dates'
              ? atMs === undefined
                ? ''
                : `${day} ${formatTime(atMs, zone)}`
              : afterWords(step);
          return (
            <Box key={step.key} sx={{ display: 'contents' }}>
              {when !== '' && <HandsetTime>{when}</HandsetTime>}
              {step.picture && <HandsetPicture src={step.picture.preview} />}
              <Bubble drip={drip} text={step.message} position={person} good={good} />
            </Box>
          );
        })}
      </Handset>
      {previewed && (
        <PreviewStepper previewed={previewed} note={`after step ${at + 1}`} onStep={setPosition} />
      )}
    </Box>
  );
}

interface Merged {
  text: string;
  position: number;
  good: number;
}

/** The text that the recipient at a position gets, and who they are; undefined where nobody gets it yet. */
function useMerged({ sequence }: OpenDrip, { text, position, good }: Merged) {
  const DraftBroadcastID = sequence?.DraftBroadcastID ?? 0;
  const body = {
    TemplateText: useDebounced(text),
    IncludeSignature: false,
    KeepCharacters: false,
    HasMedia: false,
    Position: position,
  };
  const { data } = useQuery({
    queryKey: [mergeSingle.path, DraftBroadcastID, good, body],
    queryFn: ({ signal }) =>
      callApi(mergeSingle, { params: { DraftBroadcastID }, body }, { signal, missing: 'refuse' }),
    enabled: DraftBroadcastID !== 0 && good > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return good > 0 ? data : undefined;
}

function Bubble({ drip, ...merged }: Merged & { drip: OpenDrip }) {
  const { text } = merged;
  const data = useMerged(drip, merged);
  // A text without fields is the same for everybody, so it updates with every keystroke.
  const words = text.includes('{{') ? data?.TextMessage || text : text;
  return words.trim() === '' ? null : <HandsetBubble>{words}</HandsetBubble>;
}
