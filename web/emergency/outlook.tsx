import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { Emergency, EmergencyChannel, EmergencyPreview } from '../../contract/emergencies.ts';
import { recipientProblemLabels } from '../../contract/states/recipient-problem.ts';
import { useTimeZone, useUser } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { countOf, formatCount, formatTime } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { say } from '../ui/say.ts';
import { Segmented } from '../ui/segmented.tsx';
import type { Chosen } from './emergency-state.ts';
import { channelWords, costWords, joinWords, starterWords } from './emergency-words.ts';
import { MissingCredits } from './missing-credits.tsx';

/** The server's code for too few credits. */
const NOT_ENOUGH_CREDITS = 4100;

interface OutlookProps {
  emergency: Emergency;
  chosen: Chosen;
  preview: EmergencyPreview | undefined;
  /** Enough is chosen to request a preview. */
  isAsked: boolean;
  problem: string | undefined;
  onChange: (changed: Partial<Chosen>) => void;
}

/** The preview: by text, by call or both, who gets it and who is left out, when, and the cost. */
export function Outlook({ emergency, chosen, preview, isAsked, problem, onChange }: OutlookProps) {
  const { TextProblem, CallProblem } = emergency;
  const canChoose = TextProblem === '' && CallProblem === '';
  return (
    <Card title="What will happen">
      <Box sx={{ px: 2.5, py: 2, display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
        {canChoose && (
          <Segmented<EmergencyChannel>
            label="How it goes out"
            isLarge
            value={chosen.channel}
            parts={[
              { value: 'TextAndCall', words: 'Text and call' },
              { value: 'Text', words: 'Text' },
              { value: 'Call', words: 'Call' },
            ]}
            onChange={(channel) => onChange({ channel })}
          />
        )}
        {TextProblem !== '' && (
          <Notice kind="warning" title="No texts can go out">
            {TextProblem} {CallProblem === '' && 'People are called instead.'}
          </Notice>
        )}
        {CallProblem !== '' && TextProblem === '' && (
          <Notice kind="info">{CallProblem} It goes out by text.</Notice>
        )}
        {problem && <Notice kind="error">{problem}</Notice>}
        {!isAsked && !problem && (
          <Typography sx={{ color: 'text.secondary' }}>
            Choose what happened. You’ll see here whom it reaches and what it costs.
          </Typography>
        )}
        {isAsked && !preview && !problem && (
          <Typography role="status" sx={{ color: 'text.secondary' }}>
            Counting…
          </Typography>
        )}
        {preview && <Facts emergency={emergency} chosen={chosen} preview={preview} onChange={onChange} />}
      </Box>
    </Card>
  );
}

interface FactsProps {
  emergency: Emergency;
  chosen: Chosen;
  preview: EmergencyPreview;
  onChange: (changed: Partial<Chosen>) => void;
}

function Facts({ emergency, chosen, preview, onChange }: FactsProps) {
  const zone = useTimeZone();
  const me = useUser()?.UserID;
  const { Summary, Reached, Refusal, Joins, CallProblem } = preview;
  const leftOut = Summary.Total - Reached;
  const isMissingCredits = Refusal?.ErrorCode === NOT_ENOUGH_CREDITS;
  return (
    <>
      <Box component="dl" sx={{ m: 0, display: 'grid', gap: 1.25 }}>
        <Fact term={say('Reaches')}>
          <strong>{countOf(Reached, 'person', 'people')}</strong>, by {channelWords(preview)}
        </Fact>
        <Fact term={say('Costs')}>{costWords(preview)}</Fact>
        <Fact term="Leaves out">
          {leftOut === 0 ? 'Nobody' : countOf(leftOut, 'person', 'people')}
          {leftOut > 0 && (
            <Box
              component="ul"
              sx={{ m: 0, mt: 0.5, pl: 2.25, color: 'text.secondary', typography: 'body2' }}
            >
              {Summary.LeftOut.map(({ Problem, Count }) => (
                <li key={Problem}>
                  {Problem === 'excluded' && Joins
                    ? 'Reached by the one that runs'
                    : recipientProblemLabels[Problem]}
                  : {formatCount(Count)}
                </li>
              ))}
            </Box>
          )}
        </Fact>
      </Box>
      {/* Problems that the screen knew before are shown above. */}
      {CallProblem !== '' && emergency.CallProblem === '' && (
        <Notice kind="warning">Nobody is called: {CallProblem}</Notice>
      )}
      {Joins && (
        <Notice
          kind="info"
          title={`${starterWords(Joins.StartedBy, me)} started this at ${formatTime(Joins.StartDate, zone)}`}
        >
          {Reached === 0
            ? joinWords(Joins, { ignoresHours: chosen.ignoresHours, zone })
            : 'Nobody gets it twice: yours goes to the people theirs doesn’t reach.'}
        </Notice>
      )}
      {isMissingCredits && <MissingCredits preview={preview} owners={emergency.Owners} onChange={onChange} />}
      {Refusal && !isMissingCredits && <Notice kind="error">{Refusal.Message}</Notice>}
    </>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: '92px minmax(0, 1fr)', gap: 1 }}>
      <Typography component="dt" sx={{ color: 'text.secondary' }}>
        {term}
      </Typography>
      <Typography component="dd" sx={{ m: 0, fontVariantNumeric: 'tabular-nums' }}>
        {children}
      </Typography>
    </Box>
  );
}
