import Box from '@mui/material/Box';
import { BookText } from 'lucide-react';
import { useCan } from '../queries/current-user.ts';
import { PageHead } from '../ui/page-head.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { say } from '../ui/say.ts';
import { AutoRepliesCard } from './auto-replies-card.tsx';
import { KeywordsCard } from './keywords-card.tsx';
import { LinkHostCard } from './link-host-card.tsx';
import { CharacterCountCard, SenderCard } from './sender-card.tsx';
import { SendingCard } from './sending-card.tsx';
import { TextNumbersCard } from './text-numbers-card.tsx';

const PAGE_WIDTH = 880;

/** Text numbers, auto replies, keywords and sending rules. Settings the user may not change are hidden. */
export function TextSettingsPage() {
  const canReply = useCan('manageAutoReplies');
  const canSet = useCan('editAccountSettings');
  return (
    <>
      <PageHead
        title={say('Text', 'several')}
        maxWidth={PAGE_WIDTH}
        tabTitle="Text settings"
        crumb={say('Settings')}
        sentence={
          canReply
            ? 'Your text numbers, auto replies and keywords.'
            : 'Your text numbers and how they notify you.'
        }
        actions={
          <RouterButton to="/message-library/text/{-$view}" startIcon={<BookText aria-hidden />}>
            Message library
          </RouterButton>
        }
      />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, display: 'grid', gap: 2.5, maxWidth: PAGE_WIDTH }}>
        <TextNumbersCard />
        <CharacterCountCard />
        {canReply && <AutoRepliesCard />}
        {canReply && <KeywordsCard />}
        {canSet && <SenderCard />}
        {canSet && <SendingCard />}
        {canSet && <LinkHostCard />}
      </Box>
    </>
  );
}
