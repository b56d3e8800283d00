import Checkbox from '@mui/material/Checkbox';
import ListItemText from '@mui/material/ListItemText';
import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import { ChevronDown } from 'lucide-react';
import { Field } from '../ui/field.tsx';

interface PeopleFieldProps {
  people: readonly { id: number; name: string }[];
  value: readonly number[];
  onChange: (ids: number[]) => void;
}

/** Chooses who may use a number. */
export function PeopleField({ people, value, onChange }: PeopleFieldProps) {
  const names = people.filter(({ id }) => value.includes(id)).map(({ name }) => name);
  return (
    <Field label="Who may use it" help="Owners and admins always see it.">
      {({ id, ...aria }) => (
        <Select
          multiple
          displayEmpty
          fullWidth
          value={[...value]}
          IconComponent={ChevronDown}
          input={<OutlinedInput id={id} />}
          SelectDisplayProps={{ 'aria-label': 'Who may use it', ...aria }}
          renderValue={() => names.join(', ') || 'Owners and admins'}
          onChange={(event) => {
            const next = event.target.value;
            onChange(typeof next === 'string' ? [] : next);
          }}
        >
          {people.map((person) => (
            <MenuItem key={person.id} value={person.id} dense>
              <Checkbox checked={value.includes(person.id)} tabIndex={-1} />
              <ListItemText primary={person.name} />
            </MenuItem>
          ))}
        </Select>
      )}
    </Field>
  );
}
