import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { Handset, HandsetBubble, HandsetPicture } from '../pieces/texts/handset.tsx';
import { withSignature } from '../pieces/texts/text-rules.ts';
import { useAccount, useTimeZone } from '../queries/current-user.ts';
import { formatTime } from '../ui/format.ts';
import { useNow } from '../ui/now.ts';
import type { Compose } from './use-compose.ts';

/** Previews the text on a phone, for each recipient. */
export function ComposePreview({ compose }: { compose: Compose }) {
  const account = useAccount();
  const zone = useTimeZone();
  const now = useNow();
  const { draft, number, all, preview, signatureText } = compose;
  const [chosen, setChosen] = useState(0);
  const place = Math.min(chosen, Math.max(0, all.length - 1));
  const recipient = all[place];
  const text = draft.text.trim();
  // Shows the typed text until the server returns the merged one.
  const words = text === '' ? '' : preview[place]?.TextMessage || withSignature(text, signatureText);
  return (
    <Box sx={{ display: 'grid', justifyItems: 'center', gap: 1.5 }}>
      <Handset
        organization={account?.CompanyName ?? ''}
        sender={number ? formatPhone(number.TextPhoneNumber) : ''}
        time={formatTime(now, zone).replace(/ [AP]M$/, '')}
        isEmpty={text === '' && draft.pictures.length === 0}
      >
        {draft.pictures.map(({ mediaId, preview: src }) => (
          <HandsetPicture key={mediaId} src={src} />
        ))}
        {words !== '' && <HandsetBubble>{words}</HandsetBubble>}
      </Handset>
      {all.length > 1 && recipient && (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
          <IconButton
            aria-label="Previous recipient"
            disabled={place === 0}
            onClick={() => setChosen(place - 1)}
          >
            <ChevronLeft size={16} />
          </IconButton>
          <Typography
            variant="caption"
            aria-live="polite"
            sx={{ color: 'text.secondary', minWidth: 150, textAlign: 'center' }}
          >
            {place + 1} of {all.length}: {recipient.name || formatPhone(recipient.phone)}
          </Typography>
          <IconButton
            aria-label="Next recipient"
            disabled={place === all.length - 1}
            onClick={() => setChosen(place + 1)}
          >
            <ChevronRight size={16} />
          </IconButton>
        </Box>
      )}
    </Box>
  );
}
