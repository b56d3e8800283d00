import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import type { ReplyGroup } from '../../../contract/reply-groups.ts';
import { shownMessage } from '../../api.ts';
import { QuickTextBox } from '../../pieces/broadcasts/quick-text-box.tsx';
import { peopleWords, SendCost, startWords } from '../../pieces/broadcasts/send-figures.tsx';
import { TextWarnings } from '../../pieces/texts/text-warnings.tsx';
import { fullName, useTimeZone } from '../../queries/current-user.ts';
import { countOf, formatCount } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { useNow } from '../../ui/now.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { type Answer, useAnswer } from './use-answer.ts';

interface AnswerFormProps {
  broadcastId: number;
  group: ReplyGroup;
}

/** One text for everybody in the group whom nobody has answered yet. */
export function AnswerForm({ broadcastId, group }: AnswerFormProps) {
  const answer = useAnswer(broadcastId, group);
  const { quick, preview, isFresh, isMarkingDone, isSending, problem } = answer;
  if (group.ToAnswer === 0) return <Nobody />;
  const isReady = preview !== undefined && isFresh && preview.Good > 0;
  const people = isReady ? countOf(preview.Good, 'person', 'people') : '';
  return (
    <Box
      component="form"
      noValidate
      aria-label={`Answer ${group.Name}`}
      onSubmit={(event) => {
        event.preventDefault();
        void answer.send();
      }}
      sx={{
        flex: 'none',
        maxHeight: '60%',
        overflowY: 'auto',
        display: 'grid',
        gap: 1.5,
        px: { xs: 2, sm: 3 },
        py: 2,
        borderTop: '1px solid',
        borderColor: 'line.hair',
        bgcolor: 'surface.sunken',
      }}
    >
      {problem && <Notice kind="error">{problem}</Notice>}
      {group.ToAnswer > group.TextReplyIDs.length && (
        <Notice>
          At most {formatCount(group.TextReplyIDs.length)} replies are answered at once. Send again for the
          rest.
        </Notice>
      )}
      <QuickTextBox quick={quick} isFirst={false} />
      <TextWarnings text={quick.text} />
      <Sample answer={answer} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2 }}>
        <FormControlLabel
          control={<Checkbox checked={isMarkingDone} onChange={(_, isOn) => answer.setMarkingDone(isOn)} />}
          label="Mark their conversations done"
        />
        {answer.hasSignature && (
          <FormControlLabel
            control={<Checkbox checked={answer.isSigned} onChange={(_, isOn) => answer.setSigned(isOn)} />}
            label="Add my signature"
          />
        )}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5 }}>
        <Figures answer={answer} />
        <Button
          type="submit"
          variant="contained"
          color="primary"
          startIcon={<Send aria-hidden />}
          disabled={isSending || !isReady}
          sx={{ ml: 'auto' }}
        >
          {isSending ? 'Sending' : isMarkingDone ? `Send to ${people} and mark done` : `Send to ${people}`}
        </Button>
      </Box>
    </Box>
  );
}

function Nobody() {
  return (
    <Typography
      variant="body2"
      component="div"
      sx={{
        flex: 'none',
        px: { xs: 2, sm: 3 },
        py: 2,
        color: 'text.secondary',
        borderTop: '1px solid',
        borderColor: 'line.hair',
        bgcolor: 'surface.sunken',
      }}
    >
      Everybody in this group has been answered or has opted out.
    </Typography>
  );
}

/** Says who gets it, how many credits it takes and when it goes out, or why it can’t. */
function Figures({ answer: { quick, preview, previewError, retryPreview, isFresh } }: { answer: Answer }) {
  const zone = useTimeZone();
  const now = useNow();
  if (previewError && !preview)
    return (
      <RetryNotice onRetry={retryPreview}>
        {shownMessage(previewError, 'There was an error getting your recipients.')}
      </RetryNotice>
    );
  if (!preview) return null;
  const hasWords = quick.text.trim() !== '';
  return (
    <Box
      role="status"
      aria-label="Cost and timing"
      aria-busy={!isFresh}
      sx={{
        flex: '1 1 240px',
        display: 'flex',
        flexWrap: 'wrap',
        columnGap: 2,
        typography: 'body2',
        color: 'text.secondary',
        fontVariantNumeric: 'tabular-nums',
        opacity: isFresh ? 1 : 0.6,
      }}
    >
      <span>{peopleWords(preview)}</span>
      {hasWords && <SendCost preview={preview} />}
      {hasWords && <span>{startWords(preview, now, zone)}</span>}
      {preview.AnsweredCount > 0 && (
        <span>{countOf(preview.AnsweredCount, 'reply was', 'replies were')} answered meanwhile.</span>
      )}
      {preview.StillOpenCount > 0 && (
        <span>
          {countOf(preview.StillOpenCount, 'person', 'people')} also wrote something else: that stays open.
        </span>
      )}
      {hasWords && isFresh && preview.Refusal && (
        <Box component="span" sx={{ color: 'error.main' }}>
          {preview.Refusal.Message}
        </Box>
      )}
    </Box>
  );
}

/** The text that one recipient gets. */
function Sample({ answer: { quick, preview } }: { answer: Answer }) {
  const [chosen, setChosen] = useState(0);
  const people = preview?.Recipients ?? [];
  const one = people[Math.min(chosen, people.length - 1)];
  if (quick.text.trim() === '' || one === undefined) return null;
  const name = fullName(one) || formatPhone(one.PrimaryPhone);
  return (
    <Box sx={{ typography: 'body2', color: 'text.secondary', overflowWrap: 'anywhere' }}>
      {one.Problem === null ? (
        <>
          {name} gets: <q>{one.TextMessage}</q> {one.Remark}
        </>
      ) : (
        `${name} gets nothing: ${one.PrimaryPhoneError}`
      )}{' '}
      {people.length > 1 && (
        <Button
          size="small"
          variant="text"
          onClick={() => setChosen((before) => (before + 1) % people.length)}
          sx={{ minHeight: 24, height: 24 }}
        >
          Show the next one
        </Button>
      )}
    </Box>
  );
}
