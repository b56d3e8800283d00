import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import Tooltip from '@mui/material/Tooltip';
import { X } from 'lucide-react';
import type { List, SegmentRule } from '../../../contract/lists.ts';
import { ColorMark } from '../../ui/color-mark.tsx';
import { useCustomFields } from '../contact/contact-queries.ts';
import { isGroup } from '../list/contacts-view.ts';
import { type Choice, comparisonChoices, ruleAbout, subjectChoices, subjectOf } from './segment-rules.ts';

interface SegmentRowProps {
  number: number;
  rule: SegmentRule;
  groups: readonly List[];
  /** A query has at least one condition. */
  isOnly: boolean;
  onChange: (rule: SegmentRule) => void;
  onRemove: () => void;
}

/** One condition: subject, operator and value. */
export function SegmentRow({ number, rule, groups, isOnly, onChange, onRemove }: SegmentRowProps) {
  const fields = useCustomFields();
  const targets = groups.filter(isGroup);
  return (
    <Box
      component="li"
      aria-label={`Condition ${number}`}
      sx={{
        display: 'grid',
        gap: 1,
        alignItems: 'center',
        gridTemplateColumns: { xs: '1fr 1fr 40px', sm: '160px 150px minmax(0, 1fr) 32px' },
        '& > :nth-of-type(3)': { gridRow: { xs: 2, sm: 'auto' }, gridColumn: { xs: '1 / 3', sm: 'auto' } },
      }}
    >
      <Choose
        label={`Condition ${number}: field`}
        value={subjectOf(rule)}
        choices={subjectChoices(fields)}
        onChoose={(subject) => onChange(ruleAbout(subject, targets[0]?.ListID ?? 0))}
      />
      <Choose
        label={`Condition ${number}: comparison`}
        value={rule.Is}
        choices={comparisonChoices(rule)}
        onChoose={(Is) => onChange({ ...rule, Is } as SegmentRule)}
      />
      <Box>
        <Value rule={rule} number={number} groups={targets} onChange={onChange} />
      </Box>
      <Tooltip title={isOnly ? '' : 'Remove this condition'}>
        <span>
          <IconButton aria-label={`Remove condition ${number}`} disabled={isOnly} onClick={onRemove}>
            <X />
          </IconButton>
        </span>
      </Tooltip>
    </Box>
  );
}

function Value(props: {
  rule: SegmentRule;
  number: number;
  groups: readonly List[];
  onChange: (rule: SegmentRule) => void;
}) {
  const { rule, number, groups, onChange } = props;
  const label = `Condition ${number}: value`;
  if (rule.Kind === 'field') {
    if (rule.Is === 'isempty' || rule.Is === 'isnotempty') return null;
    return (
      <OutlinedInput
        fullWidth
        value={rule.Value}
        onChange={(event) => onChange({ ...rule, Value: event.target.value })}
        slotProps={{ input: { 'aria-label': label, maxLength: 200, autoComplete: 'off' } }}
      />
    );
  }
  if (rule.Kind === 'group')
    return <ChooseGroup rule={rule} label={label} groups={groups} onChange={onChange} />;
  if (rule.Kind === 'consent' || rule.Is === 'never') return null;
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
      <OutlinedInput
        type="number"
        value={Number.isNaN(rule.Days) ? '' : rule.Days}
        onChange={(event) =>
          onChange({ ...rule, Days: event.target.value === '' ? Number.NaN : Number(event.target.value) })
        }
        slotProps={{ input: { 'aria-label': label, min: 1, max: 3650, inputMode: 'numeric' } }}
        sx={{ width: 92 }}
      />
      days
    </Box>
  );
}

const filterGroups = createFilterOptions<List>({ limit: 60, stringify: ({ ListName }) => ListName });

function ChooseGroup(props: {
  rule: Extract<SegmentRule, { Kind: 'group' }>;
  label: string;
  groups: readonly List[];
  onChange: (rule: SegmentRule) => void;
}) {
  const { rule, label, groups, onChange } = props;
  return (
    <Autocomplete
      options={groups}
      value={groups.find(({ ListID }) => ListID === rule.ListID) ?? null}
      filterOptions={filterGroups}
      getOptionLabel={({ ListName }) => ListName}
      getOptionKey={({ ListID }) => ListID}
      noOptionsText="Group not found"
      onChange={(_, chosen) => onChange({ ...rule, ListID: chosen?.ListID ?? 0 })}
      renderOption={({ key, ...props }, { ListName, Color }) => (
        <Box component="li" key={key} {...props} sx={{ gap: 1 }}>
          <ColorMark of="group" color={Color} />
          {ListName}
        </Box>
      )}
      renderInput={({ slotProps: { input, htmlInput } }) => (
        <OutlinedInput
          {...input}
          fullWidth
          placeholder="Choose a group"
          slotProps={{ input: { ...htmlInput, 'aria-label': label, autoComplete: 'off' } }}
        />
      )}
    />
  );
}

function Choose(props: {
  label: string;
  value: string;
  choices: readonly Choice[];
  onChoose: (value: string) => void;
}) {
  const { label, value, choices, onChoose } = props;
  return (
    <Select
      value={choices.some((choice) => choice.value === value) ? value : ''}
      onChange={(event) => onChoose(event.target.value)}
      SelectDisplayProps={{ 'aria-label': label }}
      sx={{ minWidth: 0 }}
    >
      {choices.map((choice) => (
        <MenuItem key={choice.value} value={choice.value}>
          {choice.label}
        </MenuItem>
      ))}
    </Select>
  );
}
