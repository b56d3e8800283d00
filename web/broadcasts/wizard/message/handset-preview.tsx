import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { mergeSingle } from '../../../../contract/addresses/drafts.gen.ts';
import type { DraftBroadcast } from '../../../../contract/drafts.ts';
import type { MediaItem } from '../../../../contract/media.ts';
import { formatPhone } from '../../../../contract/phone/format-phone.ts';
import type { MergedMessage } from '../../../../contract/template-merges.ts';
import { callApi } from '../../../api.ts';
import { Handset, HandsetBubble, HandsetPicture, HandsetTime } from '../../../pieces/texts/handset.tsx';
import { withSignature } from '../../../pieces/texts/text-rules.ts';
import { fullName, useAccount, useTimeZone } from '../../../queries/current-user.ts';
import { countOf, formatCount, formatDay, formatTime } from '../../../ui/format.ts';
import { useNow } from '../../../ui/now.ts';
import { useDebounced } from '../../../ui/use-debounced.ts';
import type { MessageFacts } from './message-state.ts';

/** One recipient's text, their position, and the number of recipients. */
export type Previewed = MergedMessage & { Position: number; Total: number };

/** The current text as the recipient at a position would get it; undefined until that is known. */
export function usePreviewed(draft: DraftBroadcast, position: number): Previewed | undefined {
  const { DraftBroadcastID, TextMessage, IncludeSignature, KeepCharacters, Media, TextNumberCount } = draft;
  const body = {
    TemplateText: useDebounced(TextMessage),
    IncludeSignature,
    KeepCharacters,
    HasMedia: Media.length > 0,
    Position: position,
  };
  const { data } = useQuery({
    // The count is a dependency: after somebody was added or removed, the position may belong to another
    // person.
    queryKey: [mergeSingle.path, DraftBroadcastID, TextNumberCount, body],
    queryFn: ({ signal }) =>
      callApi(mergeSingle, { params: { DraftBroadcastID }, body }, { signal, missing: 'refuse' }),
    enabled: DraftBroadcastID !== 0 && TextNumberCount > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return TextNumberCount > 0 ? data : undefined;
}

interface HandsetPreviewProps {
  draft: DraftBroadcast;
  facts: MessageFacts;
  previewed: Previewed | undefined;
  /** Problems that affect everybody are shown in the editor. */
  isWrong: boolean;
  onStep: (position: number) => void;
}

/** A phone with the text as a real recipient gets it, and buttons for the next one. */
export function HandsetPreview({ draft, facts, previewed, isWrong, onStep }: HandsetPreviewProps) {
  const account = useAccount();
  const zone = useTimeZone();
  const now = useNow();
  const at = draft.Starts ?? now;
  const [day = ''] = formatDay(at, now, zone).split(',', 1);
  const written = facts.text.trim();
  // Shows the typed text until the server has returned theirs.
  const words =
    written === '' ? '' : previewed?.TextMessage || withSignature(facts.prefix + written, facts.signature);
  return (
    <Box sx={{ display: 'grid', justifyItems: 'center', gap: 2 }}>
      <Handset
        organization={account?.CompanyName ?? ''}
        sender={facts.number ? formatPhone(facts.number.TextPhoneNumber) : ''}
        time={formatTime(at, zone).replace(/ [AP]M$/, '')}
        isEmpty={facts.isEmpty}
      >
        <HandsetTime>{`${day} ${formatTime(at, zone)}`}</HandsetTime>
        {draft.Media.map((picture) => (
          <Picture key={picture.mediaId} picture={picture} />
        ))}
        {words !== '' && <HandsetBubble>{words}</HandsetBubble>}
      </Handset>
      {previewed && (
        <PreviewStepper
          previewed={isWrong ? { ...previewed, Error: '' } : previewed}
          note={countOf(previewed.Segments, 'segment', 'segments')}
          onStep={onStep}
        />
      )}
    </Box>
  );
}

/**
 * An animated picture moves here too, unless the user prefers reduced motion: its preview is its first frame.
 */
function Picture({ picture: { contentType, full, preview } }: { picture: MediaItem }) {
  const isStill = useMediaQuery('(prefers-reduced-motion: reduce)', { noSsr: true });
  return <HandsetPicture src={contentType === 'image/gif' && !isStill ? full : preview} />;
}

interface PreviewStepperProps {
  previewed: Pick<Previewed, 'Position' | 'Total' | 'Error' | 'PhoneNumber' | 'FirstName' | 'LastName'>;
  /** Shown after the position and the count. */
  note: string;
  onStep: (position: number) => void;
}

/** The person whose text the phone shows, and buttons for the next one. */
export function PreviewStepper({ previewed, note, onStep }: PreviewStepperProps) {
  const { Position, Total, Error: problem, PhoneNumber } = previewed;
  const name = fullName(previewed) || formatPhone(PhoneNumber);
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, width: 282 }}>
      <IconButton
        aria-label="Previous recipient"
        disabled={Position <= 1}
        onClick={() => onStep(Position - 1)}
      >
        <ChevronLeft />
      </IconButton>
      <Box sx={{ flex: 1, minWidth: 0, textAlign: 'center' }} aria-live="polite">
        <Typography noWrap sx={{ fontWeight: 600 }} variant="body2">
          For {name}
        </Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
          {formatCount(Position)} of {formatCount(Total)} · {note}
        </Typography>
        {problem !== '' && (
          <Typography variant="caption" component="p" sx={{ color: 'warning.main' }}>
            {problem}
          </Typography>
        )}
      </Box>
      <IconButton
        aria-label="Next recipient"
        disabled={Position >= Total}
        onClick={() => onStep(Position + 1)}
      >
        <ChevronRight />
      </IconButton>
    </Box>
  );
}
