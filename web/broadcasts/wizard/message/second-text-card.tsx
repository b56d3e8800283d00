import Box from '@mui/material/Box';
import MuiCard from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useRef } from 'react';
import type { DraftBroadcast } from '../../../../contract/drafts.ts';
import {
  type DecidingAnswer,
  secondTextHours,
  secondTextShares,
  triedCount,
} from '../../../../contract/forms/second-text.ts';
import type { SecondTextForm } from '../../../../contract/second-text.ts';
import { Choice } from '../../../ui/choices.tsx';
import { Field } from '../../../ui/field.tsx';
import { countOf, formatCount } from '../../../ui/format.ts';
import { say } from '../../../ui/say.ts';
import { spliceText } from '../../../ui/splice-text.ts';
import type { StepProps } from '../draft-state.ts';
import { InsertChips } from './message-composer.tsx';
import { MessageField } from './message-field.tsx';
import { MessageMeter } from './message-meter.tsx';
import { insertFields } from './message-pieces.ts';
import type { MessageFacts } from './message-state.ts';
import { MessageWarnings } from './message-warnings.tsx';

/** The initial settings for trying two texts. */
export const newSecondText: SecondTextForm = {
  TextMessage: '',
  Share: 10,
  DecideBy: 'Replies',
  Hours: 2,
};

interface SecondTextCardProps {
  draft: DraftBroadcast;
  second: SecondTextForm;
  /** The error of the second text. */
  facts: MessageFacts;
  error: string | undefined;
  save: StepProps['save'];
}

/** The second of two texts, who gets each of them first, and how the better one is chosen. */
export function SecondTextCard({ draft, second, facts, error, save }: SecondTextCardProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const change = (by: Partial<SecondTextForm>) => save({ SecondText: { ...second, ...by } });
  const insert = (piece: string) => {
    change({ TextMessage: spliceText(field, second.TextMessage, piece) });
  };
  return (
    <MuiCard
      component="section"
      aria-label="Second text"
      sx={{ '&:has(textarea:focus)': { borderColor: 'primary.main' } }}
    >
      <Box
        sx={{
          display: 'grid',
          gap: 1,
          px: '18px',
          py: '10px',
          bgcolor: 'surface.sunken',
          borderBottom: '1px solid',
          borderColor: 'line.hair',
        }}
      >
        <Typography variant="h2">Second text</Typography>
        <InsertChips fields={insertFields(draft.CustomData)} onInsert={insert} />
      </Box>
      <MessageField
        label="Second text message"
        value={second.TextMessage}
        customFields={draft.CustomData}
        error={error}
        fieldRef={field}
        onChange={(TextMessage) => change({ TextMessage })}
      />
      <MessageMeter facts={facts} people={draft.TextNumberCount} />
      <MessageWarnings text={second.TextMessage} customFields={draft.CustomData} />
      <Deciding second={second} people={draft.TextNumberCount} onChange={change} />
    </MuiCard>
  );
}

const shareChoices = secondTextShares.map((share) => ({ value: String(share), label: `${share}% each` }));
const hourChoices = secondTextHours.map((hours) => ({
  value: String(hours),
  label: countOf(hours, 'hour', 'hours'),
}));
const answerChoices: { value: DecidingAnswer; label: string }[] = [
  { value: 'Replies', label: 'More replies' },
  { value: 'Clicks', label: 'More clicks' },
];

interface DecidingProps {
  second: SecondTextForm;
  people: number;
  onChange: (by: Partial<SecondTextForm>) => void;
}

function Deciding({ second, people, onChange }: DecidingProps) {
  return (
    <Box sx={{ px: '18px', py: 2, borderTop: '1px solid', borderColor: 'line.hair' }}>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(3, minmax(0, 1fr))' },
        }}
      >
        <Field label="Who gets them first">
          {({ id }) => (
            <Choice
              id={id}
              value={String(second.Share)}
              choices={shareChoices}
              onChange={(value) =>
                onChange({ Share: secondTextShares.find((share) => String(share) === value) ?? second.Share })
              }
            />
          )}
        </Field>
        <Field label="The better one has">
          {({ id }) => (
            <Choice
              id={id}
              value={second.DecideBy}
              choices={answerChoices}
              onChange={(value) => onChange({ DecideBy: value === 'Clicks' ? 'Clicks' : 'Replies' })}
            />
          )}
        </Field>
        <Field label="Decided after">
          {({ id }) => (
            <Choice
              id={id}
              value={String(second.Hours)}
              choices={hourChoices}
              onChange={(value) =>
                onChange({ Hours: secondTextHours.find((hours) => String(hours) === value) ?? second.Hours })
              }
            />
          )}
        </Field>
      </Box>
      {people > 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary', mt: 1.5 }}>
          {planWords(second, people)}
        </Typography>
      )}
    </Box>
  );
}

/** "About 187 people get each text first. 2 hours later, …" */
function planWords({ Share, DecideBy, Hours }: SecondTextForm, people: number): string {
  const tried = triedCount(people, Share);
  const answers = DecideBy === 'Clicks' ? say('clicks') : say('replies');
  return `About ${countOf(tried, 'person gets', 'people get')} each text first. ${countOf(Hours, 'hour', 'hours')} after the last of those, the one with more ${answers} goes to the other ${formatCount(people - 2 * tried)}. You can choose one earlier. If it’s a tie, or nobody answers, everyone else gets the first text.`;
}
