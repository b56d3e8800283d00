import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import MuiCard from '@mui/material/Card';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { Copy, Ellipsis, Trash2 } from 'lucide-react';
import { limits } from '../../../contract/reference/limits.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { TextField } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';
import { useMenu } from '../../ui/use-menu.ts';
import { visuallyHidden } from '../../ui/visually-hidden.ts';
import { TimeField } from '../wizard/start-card.tsx';
import { type EditedStep, timeHelp, whenWords } from './drip-words.ts';
import { FieldedText } from './fielded-text.tsx';
import { StepComposer, type StepComposerProps } from './step-composer.tsx';

export type StepErrors = Partial<Record<'message' | 'date' | 'time' | 'afterDays', string>>;

interface StepCardProps
  extends Pick<StepComposerProps, 'people' | 'customFields' | 'textNumberId' | 'shortenLinks'> {
  step: EditedStep;
  position: number;
  errors: StepErrors;
  cost: { Segments: number; Credits: number } | undefined;
  isOpen: boolean;
  /** True if its day is counted from when somebody joined. */
  isRelative: boolean;
  canRemove: boolean;
  onOpen: () => void;
  onChange: (by: Partial<EditedStep>) => void;
  onCopy: () => void;
  onRemove: () => void;
}

/** A step of a campaign: one line when it is closed, its time and words when it is open. */
export function StepCard(props: StepCardProps) {
  const { step, position, errors, isOpen, isRelative, customFields, onOpen, cost } = props;
  const problem = errors.message ?? errors.date ?? errors.afterDays ?? errors.time;
  if (isOpen) return <OpenStep {...props} />;
  return (
    <MuiCard sx={{ position: 'relative', ...(problem ? { borderColor: 'error.main' } : {}) }}>
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
        <Box sx={{ display: 'flex', gap: '0 8px', alignItems: 'baseline', flexWrap: 'wrap', pr: '36px' }}>
          <Typography component="span" sx={{ fontWeight: 600 }}>
            {whenWords(step, isRelative)}
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
          {step.message === '' ? (
            step.picture ? (
              'A picture'
            ) : (
              'No text yet'
            )
          ) : (
            <FieldedText text={step.message} customFields={customFields} />
          )}
        </Typography>
        {problem && (
          <Typography variant="body2" sx={{ color: 'error.main' }}>
            {problem}
          </Typography>
        )}
      </ButtonBase>
      <StepMenu {...props} />
    </MuiCard>
  );
}

/** Above the card, not inside its button: a button can't contain another one. */
function StepMenu({ position, canRemove, onCopy, onRemove }: StepCardProps) {
  const { choose, buttonProps, menuProps } = useMenu();
  return (
    <>
      <IconButton
        size="small"
        aria-label={`More for step ${position}`}
        sx={{ position: 'absolute', top: 9, right: 9 }}
        {...buttonProps}
      >
        <Ellipsis />
      </IconButton>
      <Menu {...menuProps}>
        <MenuItem onClick={choose(onCopy)}>Copy this step</MenuItem>
        {canRemove && <MenuItem onClick={choose(onRemove)}>Remove this step</MenuItem>}
      </Menu>
    </>
  );
}

function OpenStep(props: StepCardProps) {
  const { step, position, errors, isRelative, canRemove, onChange, onCopy, onRemove } = props;
  const zone = useTimeZone();
  return (
    <MuiCard
      component="section"
      aria-label={`Step ${position}`}
      sx={{
        borderColor: 'primary.main',
        boxShadow: (theme) => `0 0 0 1px ${theme.vars.palette.primary.main}`,
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1, p: '12px 12px 14px 18px' }}>
        <Box sx={{ flex: 1, display: 'grid', gap: 1.5, minWidth: 0 }}>
          {position === 1 && (
            <RadioGroup
              row
              aria-label="When the first step goes out"
              value={step.hasWait ? 'later' : 'now'}
              onChange={(_, value) => onChange({ hasWait: value === 'later' })}
              sx={{ columnGap: 2 }}
            >
              <FormControlLabel value="now" control={<Radio />} label="Right away" />
              <FormControlLabel
                value="later"
                control={<Radio />}
                label={isRelative ? 'Days later' : 'On a day'}
              />
            </RadioGroup>
          )}
          {step.hasWait && (
            <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: { xs: '1fr', sm: '1.3fr 1fr' } }}>
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
                help={timeHelp(isRelative ? { ...step, date: '' } : step, zone)}
                onChange={(time) => onChange({ time })}
              />
            </Box>
          )}
        </Box>
        <Tooltip title="Copy this step">
          <IconButton size="small" aria-label={`Copy step ${position}`} onClick={onCopy}>
            <Copy />
          </IconButton>
        </Tooltip>
        {canRemove && (
          <Tooltip title="Remove this step">
            <IconButton size="small" aria-label={`Remove step ${position}`} onClick={onRemove}>
              <Trash2 />
            </IconButton>
          </Tooltip>
        )}
      </Box>
      <StepComposer {...props} error={errors.message} />
    </MuiCard>
  );
}
