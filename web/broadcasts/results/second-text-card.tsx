import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { chooseText } from '../../../contract/addresses/broadcasts.gen.ts';
import type { WholeBroadcast } from '../../../contract/broadcasts.ts';
import type { SecondTextResults, TriedText } from '../../../contract/second-text.ts';
import { withFieldsInWords } from '../../pieces/broadcasts/broadcast-words.ts';
import { spokenStart } from '../../pieces/broadcasts/start-words.ts';
import { useCall } from '../../queries/calls.ts';
import { useCan, useTimeZone } from '../../queries/current-user.ts';
import { Card } from '../../ui/card.tsx';
import { countOf, formatCount } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { say } from '../../ui/say.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { refusalWords } from '../broadcast-actions.ts';
import { freshenBroadcasts } from '../broadcast-queries.ts';

interface SecondTextCardProps {
  broadcast: WholeBroadcast;
  results: SecondTextResults;
  onCancel: () => void;
}

/** Both texts of a broadcast side by side, the results of each, and which one everybody else gets. */
export function SecondTextCard({ broadcast, results, onCancel }: SecondTextCardProps) {
  const zone = useTimeZone();
  const now = useNow();
  const maySend = useCan('createTextBroadcast') && broadcast.CanChange;
  const { choose, isBusy } = useChoice(broadcast);
  const isOpen = results.State === 'Trying' || results.State === 'Waiting';
  const decides = results.Decides === null ? '' : spokenStart(results.Decides, now, zone);
  return (
    <Card title="Two texts">
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
        }}
      >
        {(['First', 'Second'] as const).map((place) => (
          <Tried
            key={place}
            place={place}
            text={results[place]}
            isChosen={results.Winner === place}
            countsClicks={results.DecideBy === 'Clicks' || broadcast.Links.length > 0}
          >
            {isOpen && maySend && (
              <Button
                size="small"
                variant="outlined"
                disabled={isBusy}
                onClick={() => void choose(place)}
                sx={{ mt: 2 }}
              >
                Send this one to everyone else
              </Button>
            )}
          </Tried>
        ))}
      </Box>
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          gap: 1.5,
          px: 2.5,
          py: 1.75,
          borderTop: '1px solid',
          borderColor: 'line.hair',
        }}
      >
        <Typography sx={{ flex: '1 1 280px' }}>{outcomeWords(results, decides)}</Typography>
        {isOpen && maySend && (
          <Button size="small" variant="text" color="error" onClick={onCancel}>
            Send it to nobody else
          </Button>
        )}
      </Box>
    </Card>
  );
}

function useChoice({ BroadcastID }: WholeBroadcast) {
  const client = useQueryClient();
  const { mutateAsync, isPending } = useCall(chooseText);
  const choose = async (Text: 'First' | 'Second') => {
    try {
      await mutateAsync({ params: { BroadcastID }, body: { Text } });
      showSnackbar(
        Text === 'First' ? 'Everyone else gets the first text.' : 'Everyone else gets the second text.',
      );
    } catch (error) {
      showSnackbar(refusalWords(error, 'There was an error updating your broadcast.'));
    } finally {
      freshenBroadcasts(client);
    }
  };
  return { choose, isBusy: isPending };
}

interface TriedProps {
  place: 'First' | 'Second';
  text: TriedText;
  isChosen: boolean;
  countsClicks: boolean;
  children: ReactNode;
}

function Tried({ place, text, isChosen, countsClicks, children }: TriedProps) {
  const placeName = place === 'First' ? 'First text' : 'Second text';
  const figures = [
    [say('Sent'), text.SentCount],
    [say('Delivered'), text.DeliveredCount],
    [say('Replies'), text.RepliedCount],
    ...(countsClicks ? [[say('Clicks'), text.ClickedCount] as const] : []),
    ['Opted out', text.OptedOutCount],
  ] as const;
  return (
    <Box
      component="section"
      aria-label={placeName}
      sx={{
        px: 2.5,
        py: 2,
        minWidth: 0,
        '&:nth-of-type(2)': {
          borderLeft: { sm: '1px solid' },
          borderTop: { xs: '1px solid', sm: 'none' },
          borderColor: { xs: 'line.hair', sm: 'line.hair' },
        },
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minHeight: 26 }}>
        <Typography variant="h3">{placeName}</Typography>
        {isChosen && <Chip size="small" color="success" label="Chosen" />}
      </Box>
      <Typography sx={{ mt: 0.5, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        “{withFieldsInWords(text.TextMessage)}”
      </Typography>
      <Box
        component="dl"
        sx={{
          m: 0,
          mt: 2,
          display: 'grid',
          gridTemplateColumns: 'repeat(auto-fill, minmax(76px, 1fr))',
          gap: 1.5,
        }}
      >
        {figures.map(([name, figure]) => (
          <Box key={name}>
            <Typography component="dt" variant="body2" sx={{ color: 'text.secondary' }}>
              {name}
            </Typography>
            <Typography component="dd" sx={{ m: 0, fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}>
              {formatCount(figure)}
            </Typography>
          </Box>
        ))}
      </Box>
      {children}
    </Box>
  );
}

/** The next step, or the decision and its reason. */
function outcomeWords(results: SecondTextResults, decides: string): string {
  const { State, First, Second, Share, Hours, DecideBy, RestCount, RestSentCount, Reason } = results;
  const answers = DecideBy === 'Clicks' ? say('clicks') : say('replies');
  const rest = countOf(RestCount, 'other person', 'other people');
  const tried = formatCount(First.PeopleCount + Second.PeopleCount);
  switch (State) {
    case 'Ahead':
      return `Each text goes to ${Share}% first. ${countOf(Hours, 'hour', 'hours')} after the last of those, the one with more ${answers} goes to the ${rest}.`;
    case 'Trying':
      return `${formatCount(First.SentCount + Second.SentCount)} of ${tried} people have been sent one of the two texts.`;
    case 'Waiting':
      return `The text with more ${answers} goes to the ${rest} ${decides}.`;
    case 'Stopped':
      return `It was stopped before a text was chosen. The ${rest} got neither.`;
    case 'Decided':
      return `${Reason} ${sentWords(RestSentCount, RestCount)}`;
  }
}

/** The progress of the chosen text. People who have opted out meanwhile don’t get it. */
function sentWords(sent: number, all: number): string {
  if (sent < all)
    return `It has gone out to ${formatCount(sent)} of ${countOf(all, 'other person', 'other people')}.`;
  return `It went out to the ${countOf(all, 'other person', 'other people')}.`;
}
