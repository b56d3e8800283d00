import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import OutlinedInput from '@mui/material/OutlinedInput';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { Hash, Users } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { listContacts, listLists } from '../../contract/addresses/contacts.gen.ts';
import { specialGroups } from '../../contract/contacts.ts';
import type { List } from '../../contract/lists.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { limits } from '../../contract/reference/limits.ts';
import { callApi, shownMessage } from '../api.ts';
import { useCallQuery } from '../queries/calls.ts';
import type { Recipient } from '../queries/new-conversation.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Field } from '../ui/field.tsx';
import { countOf, formatCount } from '../ui/format.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { useEarlyEnter } from '../ui/use-early-enter.ts';
import { isPastedList, pastedRecipients, recipientLabel, recipientsOf, typedRecipient } from './recipient.ts';

interface RecipientsFieldProps {
  value: Recipient[];
  typed: string;
  error: string | undefined;
  /** Errors by number, as it appears in the value. */
  problems: ReadonlyMap<Recipient, string>;
  countryId: number;
  onAdd: (added: Recipient[]) => void;
  /** A group too large for a conversation; undefined if the user may not send a broadcast. */
  onAddGroup: ((group: List) => void) | undefined;
  onChange: (value: Recipient[]) => void;
  onType: (typed: string) => void;
}

/** The pause in typing before contacts are searched. */
const SEARCH_DELAY_MS = 180;
const MOST_GROUPS = 3;
/** With too many recipients for a conversation, the rest show as a count. */
const MOST_CHIPS = 30;

type Option = Recipient | List;
const isGroup = (option: Option | string): option is List => typeof option !== 'string' && 'ListID' in option;
/** Larger groups need a broadcast. They still show, and say so. */
const isTooLarge = (option: Option | string) =>
  isGroup(option) && option.RosterCount > limits.conversationRecipients;

/** The To field: contacts by name or number, small groups, any number, or a pasted list. */
export function RecipientsField(props: RecipientsFieldProps) {
  const { value, typed, error, problems, countryId, onAdd, onAddGroup, onChange, onType } = props;
  const [pasted, setPasted] = useState('');
  const q = useDebounced(typed.trim(), SEARCH_DELAY_MS);
  const { options, isFresh } = useOptions(q, typed, countryId);
  const [isOpen, setOpen] = useState(false);
  const choose = async (option: Option | string): Promise<void> => {
    if (typeof option === 'string') {
      const number = typedRecipient(option, countryId);
      // Enter takes the typed text as it is; for a name, it takes the first match.
      if (number) onAdd([number]);
      else early.enter();
    } else if (isTooLarge(option) && isGroup(option)) onAddGroup?.(option);
    else if (isGroup(option)) onAdd(await membersOf(option));
    else onAdd([option]);
  };
  const early = useEarlyEnter(isFresh, () => {
    const first = options.find((one) => !isTooLarge(one));
    if (first) void choose(first);
  });
  return (
    <Field
      label="To"
      error={error}
      aside={
        value.length > 1 && (
          <Typography variant="caption" sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
            {formatCount(value.length)} of {limits.conversationRecipients}
          </Typography>
        )
      }
    >
      {({ id, ...aria }) => (
        <>
          <Autocomplete
            id={id}
            multiple
            freeSolo
            autoHighlight
            filterSelectedOptions
            disableClearable={value.length === 0}
            // A pasted list is reviewed first, in place of the options.
            open={isOpen && pasted === ''}
            onOpen={() => setOpen(true)}
            onClose={() => setOpen(false)}
            options={options}
            value={value as Option[]}
            inputValue={typed}
            filterOptions={(all) => all}
            getOptionDisabled={(option) => !onAddGroup && isTooLarge(option)}
            getOptionLabel={(option) =>
              typeof option === 'string' ? option : isGroup(option) ? option.ListName : recipientLabel(option)
            }
            getOptionKey={(option) =>
              typeof option === 'string'
                ? option
                : isGroup(option)
                  ? `group ${option.ListID}`
                  : `${option.PersonID ?? ''} ${option.phone}`
            }
            isOptionEqualToValue={(option, chosen) =>
              !isGroup(option) &&
              !isGroup(chosen) &&
              typeof chosen !== 'string' &&
              option.phone === chosen.phone &&
              option.PersonID === chosen.PersonID
            }
            onInputChange={(_, text, reason) => {
              early.forget();
              if (reason === 'input' || reason === 'clear') onType(text);
            }}
            onChange={(_, next, reason, details) => {
              if ((reason === 'selectOption' || reason === 'createOption') && details)
                void choose(details.option);
              else onChange(next.filter((one): one is Recipient => typeof one !== 'string' && !isGroup(one)));
            }}
            onBlur={() => {
              const number = typedRecipient(typed, countryId);
              if (number) onAdd([number]);
            }}
            renderValue={(chosen, getItemProps) =>
              chosen.slice(0, MOST_CHIPS).map((one, index) => {
                const { key, ...item } = getItemProps({ index });
                return typeof one === 'string' || isGroup(one) ? null : (
                  <RecipientChip key={key} recipient={one} problem={problems.get(one)} {...item} />
                );
              })
            }
            renderInput={({ slotProps: { input, htmlInput } }) => (
              <OutlinedInput
                {...input}
                fullWidth
                error={error !== undefined}
                autoFocus
                placeholder={value.length === 0 ? 'Name or phone number' : ''}
                onPaste={(event) => {
                  const text = event.clipboardData.getData('text');
                  if (!isPastedList(text, countryId)) return;
                  event.preventDefault();
                  setOpen(false);
                  setPasted(text);
                }}
                slotProps={{ input: { ...htmlInput, ...aria, autoComplete: 'off' } }}
                sx={{ flexWrap: 'wrap', gap: '4px', height: 'auto', minHeight: 36, py: '4px' }}
              />
            )}
            renderOption={({ key, ...item }, option) => (
              <Box component="li" key={key} {...item} sx={{ gap: 1.25 }}>
                {isGroup(option) ? <GroupLine group={option} /> : <RecipientLine recipient={option} />}
              </Box>
            )}
          />
          {pasted !== '' && (
            <PastedReview
              pasted={pasted}
              countryId={countryId}
              onAdd={(added) => {
                setPasted('');
                onAdd(added);
              }}
              onCancel={() => setPasted('')}
            />
          )}
        </>
      )}
    </Field>
  );
}

/** Matching contacts, a few groups, and the typed number. Also whether they match the current input. */
function useOptions(q: string, typed: string, countryId: number): { options: Option[]; isFresh: boolean } {
  const contacts = useCallQuery(
    listContacts,
    { params: { ListID: specialGroups.everyone }, query: { q, pagesize: 10 } },
    { keepPrevious: true },
  );
  const groups = useCallQuery(listLists, { query: { q } }, { keepPrevious: true, enabled: q !== '' });
  const isFresh = q !== '' && q === typed.trim() && !contacts.isPlaceholderData && !groups.isPlaceholderData;
  const options = useMemo(() => {
    const number = typedRecipient(typed, countryId);
    const found = recipientsOf(contacts.data?.Items ?? []);
    const isFound = number && found.some(({ phone }) => formatPhone(phone) === formatPhone(number.phone));
    const some = (q === '' ? [] : (groups.data?.Items ?? []))
      .filter(({ ListID, RosterCount }) => ListID > 0 && RosterCount > 0)
      .sort((a, b) => Number(isTooLarge(a)) - Number(isTooLarge(b)));
    return [...(number && !isFound ? [number] : []), ...found, ...some.slice(0, MOST_GROUPS)];
  }, [contacts.data, groups.data, q, typed, countryId]);
  return { options, isFresh };
}

async function membersOf({ ListID }: List): Promise<Recipient[]> {
  try {
    const { Items } = await callApi(
      listContacts,
      { params: { ListID }, query: { pagesize: 25 } },
      { missing: 'refuse' },
    );
    // The first phone of each.
    return Items.flatMap((contact) => recipientsOf([contact]).slice(0, 1));
  } catch (error) {
    showSnackbar(shownMessage(error, 'There was an error getting contacts'));
    return [];
  }
}

interface RecipientChipProps {
  recipient: Recipient;
  problem: string | undefined;
  disabled: boolean;
  tabIndex: -1;
  'data-item-index': number;
  onDelete: (event: unknown) => void;
}

function RecipientChip({ recipient, problem, ...item }: RecipientChipProps) {
  const words = recipient.name || formatPhone(recipient.phone);
  const chip = (
    <Chip
      size="small"
      label={words}
      variant="outlined"
      color={problem === undefined ? 'default' : 'error'}
      aria-label={
        problem === undefined ? recipientLabel(recipient) : `${recipientLabel(recipient)}: ${problem}`
      }
      {...item}
    />
  );
  return <Tooltip title={problem ?? formatPhone(recipient.phone)}>{chip}</Tooltip>;
}

interface PastedReviewProps {
  pasted: string;
  countryId: number;
  onAdd: (added: Recipient[]) => void;
  onCancel: () => void;
}

/** Reviews a pasted list before anyone is added. */
function PastedReview({ pasted, countryId, onAdd, onCancel }: PastedReviewProps) {
  const { recipients, repeated, invalid } = pastedRecipients(pasted, countryId);
  return (
    <Box
      role="group"
      aria-label="Pasted numbers"
      sx={{
        mt: 1,
        p: 1.5,
        border: '1px solid',
        borderColor: 'line.hair',
        borderRadius: '8px',
        bgcolor: 'surface.sunken',
        display: 'grid',
        gap: 1,
      }}
    >
      <Box
        component="ul"
        sx={{ p: 0, listStyle: 'none', maxHeight: 144, overflowY: 'auto', display: 'grid', gap: '2px' }}
        tabIndex={0}
      >
        {recipients.map((one) => (
          <PastedLine key={one.phone} words={recipientLabel(one)} />
        ))}
        {invalid.map(({ id, name, number, error }) => (
          <PastedLine key={id} words={[name, number].filter(Boolean).join(', ')} note={error} />
        ))}
      </Box>
      {repeated > 0 && (
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {countOf(repeated, 'duplicate number', 'duplicate numbers')}.
        </Typography>
      )}
      <Box sx={{ display: 'flex', gap: 1, justifyContent: 'flex-end' }}>
        <Button size="small" variant="text" onClick={onCancel}>
          Don’t add them
        </Button>
        <Button size="small" variant="outlined" onClick={() => onAdd(recipients)}>
          Add {countOf(recipients.length, 'number', 'numbers')}
        </Button>
      </Box>
    </Box>
  );
}

function PastedLine({ words, note }: { words: string; note?: string }) {
  return (
    <Typography
      component="li"
      variant="body2"
      sx={{ color: note === undefined ? 'text.primary' : 'error.main', overflowWrap: 'anywhere' }}
    >
      {words}
      {note !== undefined && ` · ${note}`}
    </Typography>
  );
}

function RecipientLine({ recipient: { name, phone, hasOptedOut } }: { recipient: Recipient }) {
  return (
    <>
      {name === '' ? (
        <Mark>
          <Hash size={14} strokeWidth={2} />
        </Mark>
      ) : (
        <Avatar name={name} size={30} />
      )}
      <Words first={name === '' ? `Text ${formatPhone(phone)}` : name}>
        {name !== '' && (
          <Box component="span" sx={{ color: hasOptedOut ? 'error.main' : 'text.secondary' }}>
            {formatPhone(phone)}
            {hasOptedOut && ' · Opted out'}
          </Box>
        )}
      </Words>
    </>
  );
}

function GroupLine({ group }: { group: List }) {
  return (
    <>
      <Mark>
        <Users size={14} strokeWidth={2} />
      </Mark>
      <Words first={group.ListName}>
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {isTooLarge(group)
            ? `${formatCount(group.RosterCount)} people: use a broadcast for more than ${limits.conversationRecipients}`
            : `Everyone in this group: ${countOf(group.RosterCount, 'person', 'people')}`}
        </Box>
      </Words>
    </>
  );
}

function Words({ first, children }: { first: string; children: ReactNode }) {
  return (
    <Box sx={{ minWidth: 0, flex: 1 }}>
      <Typography noWrap sx={{ fontWeight: 520 }}>
        {first}
      </Typography>
      <Typography variant="caption" component="div">
        {children}
      </Typography>
    </Box>
  );
}

function Mark({ children }: { children: ReactNode }) {
  return (
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
      {children}
    </Box>
  );
}
