import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Layers, MessagesSquare, PhoneOutgoing, Send } from 'lucide-react';
import type { ReactNode } from 'react';
import type { WholeBroadcast } from '../../../contract/broadcasts.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { formatLength } from '../../pieces/audio/audio-words.ts';
import { useCan } from '../../queries/current-user.ts';
import { countOf, formatCount } from '../../ui/format.ts';
import { RouterButton } from '../../ui/router-button.tsx';
import type { BroadcastActions } from '../broadcast-actions.ts';
import { type ResultsSearch, readResultsSearch } from '../broadcast-address.ts';
import type { ResultTab } from './result-tabs.ts';

interface TabBandProps {
  broadcast: WholeBroadcast;
  tab: ResultTab;
  search: ResultsSearch;
  actions: BroadcastActions;
}

/** Below the tabs: the actions for the people in the open tab. */
export function TabBand({ broadcast, tab, search, actions }: TabBandProps) {
  const mayCreate = useCan('createBroadcast');
  const { BroadcastID, TextSurveyResponses } = broadcast;
  const people = countOf(tab.count, 'person', 'people');
  const given: { Label: string; Count: number }[] =
    tab.channel === 'calls' ? broadcast.SurveyResponses : TextSurveyResponses;
  if (tab.isSurvey)
    return (
      <Band words="Survey answers">
        {[undefined, ...given].map((answer) => (
          <RouterButton
            key={answer?.Label ?? 'all'}
            to="/broadcast-details/$broadcastId/$sub"
            params={{ broadcastId: BroadcastID, sub: tab.segment }}
            search={readResultsSearch({ q: search.q, answer: answer?.Label })}
            resetScroll={false}
            size="small"
            variant={search.answer === answer?.Label ? 'outlined' : 'text'}
            aria-current={search.answer === answer?.Label}
          >
            {answer ? `${answer.Label} ${formatCount(answer.Count)}` : `All ${formatCount(tab.count)}`}
          </RouterButton>
        ))}
      </Band>
    );
  if (tab.count === 0) return null;
  const again = (words: string, textresultcategory: 'Failed' | 'NotReplied') =>
    mayCreate ? (
      <Band words={words}>
        <Button
          size="small"
          startIcon={<Send aria-hidden />}
          disabled={actions.isBusy}
          onClick={() => void actions.sendAgain(broadcast, { textresultcategory })}
        >
          Send again to {tab.count === 1 ? 'this person' : `these ${formatCount(tab.count)}`}
        </Button>
      </Band>
    ) : null;
  if (tab.channel === 'calls')
    return <CallBand broadcast={broadcast} tab={tab} mayCreate={mayCreate} actions={actions} />;
  switch (tab.segment) {
    case 'failed':
      return again(`${people} didn’t get it.`, 'Failed');
    case 'not-replied':
      return again(`${people} got it and didn’t reply.`, 'NotReplied');
    case 'replied':
      return (
        <Band words={`${people} replied.`}>
          <RouterButton
            to="/broadcast-details/$broadcastId/text-replies"
            params={{ broadcastId: BroadcastID }}
            size="small"
            startIcon={<MessagesSquare aria-hidden />}
          >
            See the replies
          </RouterButton>
          <RouterButton
            to="/broadcast-details/$broadcastId/reply-groups"
            params={{ broadcastId: BroadcastID }}
            size="small"
            startIcon={<Layers aria-hidden />}
          >
            Answer in groups
          </RouterButton>
          {mayCreate && (
            <Button
              size="small"
              startIcon={<Send aria-hidden />}
              disabled={actions.isBusy}
              onClick={() => void actions.writeToThoseWhoReplied(broadcast)}
            >
              Text everyone who replied
            </Button>
          )}
        </Band>
      );
    case 'left-out':
      return <Band words={`${people} left out before sending. Each row shows the reason.`} />;
    default:
      return null;
  }
}

interface CallBandProps {
  broadcast: WholeBroadcast;
  tab: ResultTab;
  mayCreate: boolean;
  actions: BroadcastActions;
}

function CallBand({ broadcast, tab, mayCreate, actions }: CallBandProps) {
  const people = countOf(tab.count, 'person', 'people');
  switch (tab.segment) {
    case 'busy-no-answer':
      return (
        <Band words={`${people} didn’t answer, also after the last retry.`}>
          {mayCreate && (
            <Button
              size="small"
              startIcon={<PhoneOutgoing aria-hidden />}
              disabled={actions.isBusy}
              onClick={() => void actions.sendAgain(broadcast, { callresultcategory: 'BusyNoAnswer' })}
            >
              Call {tab.count === 1 ? 'this person' : `these ${formatCount(tab.count)}`} again
            </Button>
          )}
        </Band>
      );
    case 'transfers':
      return (
        <Band
          words={
            // Not every provider says how long they talked.
            broadcast.TransferSeconds === 0
              ? `${people} ${tab.count === 1 ? 'was' : 'were'} connected to ${formatPhone(broadcast.TransferNumber)}.`
              : `${people} ${tab.count === 1 ? 'was' : 'were'} connected to ${formatPhone(broadcast.TransferNumber)}, ${formatLength(broadcast.TransferSeconds)} in all.`
          }
        />
      );
    case 'left-out':
      return <Band words={`${people} left out before calling. Each row shows the reason.`} />;
    default:
      return null;
  }
}

function Band({ words, children }: { words: string; children?: ReactNode }) {
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 1,
        rowGap: 0.5,
        minHeight: 46,
        px: 2.5,
        py: 1,
        borderBottom: '1px solid',
        borderColor: 'line.hair',
        typography: 'body2',
        color: 'text.secondary',
      }}
    >
      <Box sx={{ flex: '1 1 200px' }}>{words}</Box>
      {children}
    </Box>
  );
}
