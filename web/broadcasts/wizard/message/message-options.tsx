import Box from '@mui/material/Box';
import MuiCard from '@mui/material/Card';
import type { DraftBroadcast } from '../../../../contract/drafts.ts';
import { placesCalls } from '../../../../contract/money/units.ts';
import { counterLabel } from '../../../../contract/text/text-length.ts';
import { FieldMarks } from '../../../pieces/texts/field-marks.tsx';
import { TextField } from '../../../ui/field.tsx';
import { RouterLink } from '../../../ui/router-link.tsx';
import { SwitchRow } from '../../../ui/switch-row.tsx';
import type { StepProps } from '../draft-state.ts';
import type { MessageFacts, MessageProblems } from './message-state.ts';
import { newSecondText } from './second-text-card.tsx';

interface MessageOptionsProps {
  draft: DraftBroadcast;
  facts: MessageFacts;
  problems: MessageProblems;
  save: StepProps['save'];
}

/**
 * The signature, whether the text is a question to be answered with Yes or No, and whether its links are
 * shortened.
 */
export function MessageOptions({ draft, facts, problems, save }: MessageOptionsProps) {
  // A second text that was there before the type or the schedule changed can be removed.
  const mayTryTwo = !placesCalls(draft.BroadcastType) && draft.startOption !== 'REPEATING';
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        alignItems: 'start',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
      }}
    >
      <MuiCard sx={{ px: 2, py: 1.75 }}>
        {facts.ownSignature === undefined ? (
          <Box>
            <Box sx={{ fontWeight: 550, minHeight: 24 }}>Signature</Box>
            <Box sx={{ mt: '2px', typography: 'caption', color: 'text.secondary' }}>
              You don’t have one yet. <RouterLink to="/settings/profile">Write one</RouterLink>
            </Box>
          </Box>
        ) : (
          <SwitchRow
            label="Signature"
            help={`Adds “${facts.ownSignature}”`}
            isOn={draft.IncludeSignature}
            onChange={(IncludeSignature) => save({ IncludeSignature })}
          />
        )}
      </MuiCard>
      <MuiCard sx={{ px: 2, py: 1.75 }}>
        <SwitchRow
          label="Yes or No question"
          help="Counts answers and replies for you"
          isOn={draft.IsTextSurvey}
          onChange={(IsTextSurvey) => save({ IsTextSurvey })}
        />
      </MuiCard>
      {(draft.ShortenLinks ||
        /https?:\/\//i.test(draft.TextMessage + (draft.SecondText?.TextMessage ?? ''))) && (
        <MuiCard sx={{ px: 2, py: 1.75 }}>
          <SwitchRow
            label="Short links"
            help="Shortens links on your own address, one for each person, and counts who opens them"
            isOn={draft.ShortenLinks}
            onChange={(ShortenLinks) => save({ ShortenLinks })}
          />
        </MuiCard>
      )}
      {(mayTryTwo || draft.SecondText !== null) && (
        <MuiCard sx={{ px: 2, py: 1.75 }}>
          <SwitchRow
            label="Try two texts"
            help="Some people get each text first, then everyone else gets the better one"
            isOn={draft.SecondText !== null}
            onChange={(isOn) => save({ SecondText: isOn ? newSecondText : null })}
          />
        </MuiCard>
      )}
      {draft.IsTextSurvey && (
        <SurveyReplies draft={draft} limit={facts.limit} problems={problems} save={save} />
      )}
    </Box>
  );
}

const labels = ['Yes', 'No'] as const;

interface SurveyRepliesProps {
  draft: DraftBroadcast;
  limit: number;
  problems: MessageProblems;
  save: StepProps['save'];
}

/** The automatic reply to each answer. An empty one sends nothing. */
function SurveyReplies({ draft, limit, problems, save }: SurveyRepliesProps) {
  const messageOf = (label: (typeof labels)[number]) =>
    draft.TextSurveyAutoReplies.find(({ Label }) => Label === label)?.Message ?? '';
  const change = (changed: (typeof labels)[number], Message: string) => {
    const replies = labels.map((Label) => ({
      Label,
      Message: Label === changed ? Message : messageOf(Label),
    }));
    save({ TextSurveyAutoReplies: replies.filter((reply) => reply.Message !== '') });
  };
  return (
    <MuiCard
      component="fieldset"
      sx={{ gridColumn: '1 / -1', minWidth: 0, m: 0, p: 2, display: 'grid', gap: 2 }}
    >
      <Box component="legend" sx={{ float: 'left', p: 0, typography: 'body2', color: 'text.secondary' }}>
        Ask a Yes or No question in your text. We send these replies automatically, once per person. Leave one
        empty to send nothing.
      </Box>
      {labels.map((label) => (
        <TextField
          key={label}
          label={`When they answer ${label}`}
          multiline
          minRows={2}
          maxRows={6}
          value={messageOf(label)}
          endAdornment={<FieldMarks text={messageOf(label)} />}
          error={problems[label === 'Yes' ? 'yes' : 'no']}
          help={counterLabel(messageOf(label), limit)}
          placeholder={
            label === 'Yes' ? 'Thank you! We look forward to seeing you.' : 'Thank you for letting us know.'
          }
          onChange={(event) => change(label, event.target.value)}
        />
      ))}
    </MuiCard>
  );
}
