import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { Users } from 'lucide-react';
import { useMemo, useState } from 'react';
import { listContacts, listLists } from '../../../contract/addresses/contacts.gen.ts';
import { specialGroups } from '../../../contract/contacts.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { limits } from '../../../contract/reference/limits.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { fullName } from '../../queries/current-user.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Field } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import { useEarlyEnter } from '../../ui/use-early-enter.ts';
import type { QuickTo } from './use-quick-send.ts';

/** Waits for a pause in typing before anybody is searched. */
const SEARCH_DELAY_MS = 180;
const MOST_GROUPS = 6;
const MOST_PEOPLE = 8;

interface QuickSendToProps {
  value: readonly QuickTo[];
  /** Number of people, where the server has said it. */
  count: number | undefined;
  error: string | undefined;
  isFirst: boolean;
  onChange: (value: readonly QuickTo[]) => void;
}

/** To: groups and segments with all their people, and anybody of the contacts. */
export function QuickSendTo({ value, count, error, isFirst, onChange }: QuickSendToProps) {
  const [typed, setTyped] = useState('');
  const q = useDebounced(typed.trim(), SEARCH_DELAY_MS);
  const { options, isFresh } = useOptions(q, typed);
  const isChosen = (one: QuickTo) => value.some(({ kind, id }) => kind === one.kind && id === one.id);
  const early = useEarlyEnter(isFresh, () => {
    const first = options.find((one) => !isChosen(one));
    if (!first) return;
    setTyped('');
    onChange([...value, first]);
  });
  return (
    <Field
      label="To"
      error={error}
      aside={
        count !== undefined &&
        count <= limits.conversationRecipients && (
          <Typography variant="caption" sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
            {count} of {limits.conversationRecipients}
          </Typography>
        )
      }
    >
      {({ id, ...aria }) => (
        <Autocomplete
          id={id}
          multiple
          // With nothing typed, an Enter too many must choose nobody.
          autoHighlight={typed.trim() !== ''}
          filterSelectedOptions
          disableClearable
          options={options}
          // The same array as long as nobody is added: another one would empty what is being typed.
          value={value as QuickTo[]}
          inputValue={typed}
          noOptionsText={isFresh ? 'No group or contact found' : 'Searching…'}
          filterOptions={(all) => all}
          getOptionLabel={({ name }) => name}
          getOptionKey={({ kind, id: key }) => `${kind} ${key}`}
          isOptionEqualToValue={(one, other) => one.kind === other.kind && one.id === other.id}
          onInputChange={(_, next, reason) => {
            early.forget();
            if (reason !== 'blur') setTyped(reason === 'selectOption' ? '' : next);
          }}
          onChange={(_, next) => onChange(next)}
          renderValue={(chosen, getItemProps) =>
            chosen.map((one, index) => {
              const { key, ...item } = getItemProps({ index });
              return (
                <Chip
                  key={key}
                  size="small"
                  variant="outlined"
                  {...(one.kind === 'group' ? { icon: <Users size={13} strokeWidth={2} aria-hidden /> } : {})}
                  label={one.name}
                  {...item}
                />
              );
            })
          }
          renderInput={({ slotProps: { input, htmlInput } }) => (
            <OutlinedInput
              {...input}
              fullWidth
              autoFocus={isFirst}
              error={error !== undefined}
              placeholder={value.length === 0 ? 'Group or name' : ''}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                // Whoever enters a name once too often must not send with it.
                event.preventDefault();
                if (typed.trim() === '' || isFresh) return;
                // The list still shows the results of an earlier query, so nobody in it is meant.
                event.stopPropagation();
                early.enter();
              }}
              slotProps={{ input: { ...htmlInput, ...aria, autoComplete: 'off' } }}
              sx={{ flexWrap: 'wrap', gap: '4px', height: 'auto', minHeight: 36, py: '4px' }}
            />
          )}
          renderOption={({ key, ...item }, option) => (
            <Box component="li" key={key} {...item} sx={{ gap: 1.25 }}>
              <OptionLine option={option} />
            </Box>
          )}
        />
      )}
    </Field>
  );
}

function OptionLine({ option }: { option: QuickTo }) {
  return (
    <>
      {option.kind === 'group' ? (
        <Box
          aria-hidden
          sx={{
            width: 30,
            height: 30,
            borderRadius: '50%',
            display: 'grid',
            placeItems: 'center',
            bgcolor: 'tint.accent',
            color: 'primary.main',
          }}
        >
          <Users size={14} strokeWidth={2} />
        </Box>
      ) : (
        <Avatar name={option.name} size={30} />
      )}
      <Box sx={{ minWidth: 0, flex: 1 }}>
        <Typography noWrap sx={{ fontWeight: 520 }}>
          {option.name}
        </Typography>
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
          {option.kind === 'group' ? countOf(option.count, 'person', 'people') : formatPhone(option.phone)}
        </Typography>
      </Box>
    </>
  );
}

/** Matching groups and people, and whether they match the current input. */
function useOptions(q: string, typed: string): { options: QuickTo[]; isFresh: boolean } {
  const groups = useCallQuery(listLists, { query: { q } }, { keepPrevious: true });
  const contacts = useCallQuery(
    listContacts,
    { params: { ListID: specialGroups.everyone }, query: { q, pagesize: MOST_PEOPLE } },
    { keepPrevious: true },
  );
  const isThere = !groups.isPlaceholderData && !contacts.isPlaceholderData && !contacts.isPending;
  const options = useMemo(() => {
    const lists = (groups.data?.Items ?? [])
      .filter(({ ListID, RosterCount }) => ListID > 0 && RosterCount > 0)
      .slice(0, MOST_GROUPS)
      .map(({ ListID, ListName, RosterCount }): QuickTo => {
        return { kind: 'group', id: ListID, name: ListName, count: RosterCount };
      });
    const people = (contacts.data?.Items ?? []).map((contact): QuickTo => {
      const phone = contact.PrimaryPhone;
      return { kind: 'person', id: contact.PersonID, name: fullName(contact) || formatPhone(phone), phone };
    });
    return [...lists, ...people];
  }, [groups.data, contacts.data]);
  return { options, isFresh: q === typed.trim() && isThere };
}
