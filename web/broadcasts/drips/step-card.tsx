import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import MuiCard from '@mui/material/Card';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { BookMarked, Braces, Copy, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { limits } from '../../../contract/reference/limits.ts';
import { SavedTextsPicker } from '../../pieces/templates/saved-texts-picker.tsx';
import { PictureProblemDialog, useAttachPictures } from '../../pieces/texts/attach-pictures.tsx';
import { MergeFieldsMenu } from '../../pieces/texts/merge-fields-menu.tsx';
import { PictureField } from '../../pieces/texts/picture-field.tsx';
import { useTimeZone } from '../../queries/current-user.ts';
import { TextField } from '../../ui/field.tsx';
import { countOf, formatCount, zoneName } from '../../ui/format.ts';
import { locale } from '../../ui/locale.ts';
import { useMenu } from '../../ui/use-menu.ts';
import { visuallyHidden } from '../../ui/visually-hidden.ts';
import { TimeField } from '../wizard/start-card.tsx';
import { afterWords, type EditedStep } from './drip-words.ts';

export type StepErrors = Partial<Record<'message' | 'date' | 'time' | 'afterDays', string>>;

interface StepCardProps {
  step: EditedStep;
  position: number;
  errors: StepErrors;
  cost: { Segments: number; Credits: number } | undefined;
  limit: number;
  isOpen: boolean;
  /** Whether its day is counted from when somebody joined. */
  isRelative: boolean;
  canRemove: boolean;
  onOpen: () => void;
  onChange: (by: Partial<EditedStep>) => void;
  onCopy: () => void;
  onRemove: () => void;
}

/** A step of a campaign: one line when it is closed, its time and words when it is open. */
export function StepCard(props: StepCardProps) {
  const { step, position, errors, isOpen, isRelative, onOpen, cost } = props;
  const problem = errors.message ?? errors.date ?? errors.afterDays ?? errors.time;
  if (isOpen) return <OpenStep {...props} />;
  return (
    <MuiCard sx={problem ? { borderColor: 'error.main' } : {}}>
      <ButtonBase
        onClick={onOpen}
        sx={{
          display: 'block',
          width: '100%',
          textAlign: 'left',
          font: 'inherit',
          p: '14px 18px',
          borderRadius: 'inherit',
        }}
      >
        <span style={visuallyHidden}>Step {position}: </span>
        <Box sx={{ display: 'flex', gap: 1, alignItems: 'baseline' }}>
          <Typography component="span" sx={{ fontWeight: 550 }}>
            {isRelative ? afterWords(step) : whenWords(step)}
          </Typography>
          {step.hasWait && (
            <Typography component="span" sx={{ color: 'text.secondary' }}>
              {step.time}
            </Typography>
          )}
          <Typography component="span" variant="body2" sx={{ ml: 'auto', color: 'text.secondary' }}>
            {cost && cost.Segments > 0 && countOf(cost.Segments, 'segment', 'segments')}
          </Typography>
        </Box>
        <Typography noWrap sx={{ color: 'text.secondary' }}>
          {step.message || (step.picture ? 'A picture' : 'No text yet')}
        </Typography>
        {problem && (
          <Typography variant="body2" sx={{ color: 'error.main' }}>
            {problem}
          </Typography>
        )}
      </ButtonBase>
    </MuiCard>
  );
}

const dayFormat = new Intl.DateTimeFormat(locale, {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  timeZone: 'UTC',
});

function whenWords({ hasWait, date }: EditedStep): string {
  if (!hasWait) return 'Right away';
  const at = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(at) ? 'No day yet' : dayFormat.format(at);
}

function OpenStep(props: StepCardProps) {
  const { step, position, errors, cost, limit, isRelative, canRemove, onChange, onCopy, onRemove } = props;
  const zone = useTimeZone();
  const fields = useMenu();
  const library = useMenu('dialog');
  const field = useRef<HTMLTextAreaElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const pictures = useAttachPictures({
    count: 0,
    use: 'broadcast',
    onAdd: (picture) => onChange({ picture }),
  });
  const insert = (piece: string, more: Partial<EditedStep> = {}) => {
    const start = field.current?.selectionStart ?? step.message.length;
    const end = field.current?.selectionEnd ?? start;
    onChange({ ...more, message: step.message.slice(0, start) + piece + step.message.slice(end) });
    // After the new text is in the field.
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(start + piece.length, start + piece.length);
    });
  };
  return (
    <MuiCard
      component="section"
      aria-label={`Step ${position}`}
      sx={{ p: '16px 18px', display: 'grid', gap: 2, borderColor: 'primary.main', borderWidth: 2 }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        {position === 1 ? (
          <RadioGroup
            row
            aria-label="When the first step goes out"
            value={step.hasWait ? 'later' : 'now'}
            onChange={(_, value) => onChange({ hasWait: value === 'later' })}
            sx={{ flex: 1, columnGap: 2 }}
          >
            <FormControlLabel value="now" control={<Radio />} label="Right away" />
            <FormControlLabel
              value="later"
              control={<Radio />}
              label={isRelative ? 'Days later' : 'On a day'}
            />
          </RadioGroup>
        ) : (
          <Typography sx={{ flex: 1, fontWeight: 550 }}>Step {position}</Typography>
        )}
        <Tooltip title="Copy this step">
          <IconButton aria-label={`Copy step ${position}`} onClick={onCopy}>
            <Copy />
          </IconButton>
        </Tooltip>
        {canRemove && (
          <Tooltip title="Remove this step">
            <IconButton aria-label={`Remove step ${position}`} onClick={onRemove}>
              <Trash2 />
            </IconButton>
          </Tooltip>
        )}
      </Box>
      {step.hasWait && (
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
          {isRelative ? (
            <TextField
              label="Days after joining"
              type="number"
              value={step.afterDays ?? ''}
              error={errors.afterDays}
              slotProps={{ input: { min: 1, max: limits.dripDays, step: 1 } }}
              onChange={({ target }) =>
                onChange({ afterDays: target.value === '' ? null : Number(target.value) })
              }
            />
          ) : (
            <TextField
              label="Day"
              type="date"
              value={step.date}
              error={errors.date}
              onChange={(event) => onChange({ date: event.target.value })}
            />
          )}
          <TimeField
            label="Time"
            value={step.time}
            error={errors.time}
            help={`In ${zoneName(zone)}.`}
            onChange={(time) => onChange({ time })}
          />
        </Box>
      )}
      <TextField
        label="Message"
        multiline
        minRows={4}
        maxRows={12}
        inputRef={field}
        value={step.message}
        error={errors.message}
        onChange={(event) => onChange({ message: event.target.value })}
      />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '4px', mt: -1 }}>
        <Button size="small" variant="text" startIcon={<Braces aria-hidden />} {...fields.buttonProps}>
          Personalize
        </Button>
        <Button size="small" variant="text" startIcon={<BookMarked aria-hidden />} {...library.buttonProps}>
          Saved texts
        </Button>
        <Typography
          variant="body2"
          sx={{ ml: 'auto', color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}
        >
          Characters: {formatCount(step.message.length)}/{formatCount(limit)}
          {cost && cost.Segments > 0 && ` · ${countOf(cost.Segments, 'segment', 'segments')}`}
          {cost && cost.Credits > 0 && ` · ${countOf(cost.Credits, 'credit', 'credits')}`}
        </Typography>
        <MergeFieldsMenu menu={fields} onChoose={insert} />
        <SavedTextsPicker
          anchor={library.anchorEl}
          onChoose={(saved) => {
            library.close();
            const picture = step.picture ?? saved.Media[0];
            insert(saved.TemplateText, { picture });
          }}
          onClose={library.close}
        />
      </Box>
      <PictureField
        picture={step.picture}
        isUploading={pictures.uploading > 0}
        inputRef={files}
        onChoose={(file) => void pictures.attach([file])}
        onRemove={() => onChange({ picture: undefined })}
      />
      <PictureProblemDialog problem={pictures.problem} onClose={pictures.forgetProblem} />
    </MuiCard>
  );
}
