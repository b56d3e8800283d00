import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { addList, countSegment, updateList } from '../../../contract/addresses/contacts.gen.ts';
import { groupForm } from '../../../contract/forms/contact.ts';
import type { List, Segment, SegmentRule } from '../../../contract/lists.ts';
import { callApi, fieldMessages, genericMessage, shownMessage } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { ColorField } from '../../ui/color-field.tsx';
import { TextField } from '../../ui/field.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { countOf } from '../../ui/format.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import { nameOfContact } from '../contact/contact-name.ts';
import { freshenContacts } from '../list/contacts-queries.ts';
import { isGroup } from '../list/contacts-view.ts';
import { PhoneListId, phoneListIdProblem } from './phone-list-id.tsx';
import { SegmentRow } from './segment-row.tsx';
import { askable, ruleAbout } from './segment-rules.ts';

interface SegmentDialogProps {
  isOpen: boolean;
  /** The segment to edit; without it a new one is created. */
  list: List | undefined;
  lists: readonly List[];
  onClose: () => void;
}

/** Edits a segment, a saved query: each time it is used, everybody who matches belongs to it. */
export function SegmentDialog({ isOpen, onClose, ...rest }: SegmentDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={680} isFullOnPhone isKeptOnClickBeside>
      <SegmentForm onClose={onClose} {...rest} />
    </FormDialog>
  );
}

interface Row {
  key: number;
  rule: SegmentRule;
}

/** Typing in a condition is debounced by this. */
const COUNT_DELAY_MS = 300;
const MOST_RULES = 20;

function SegmentForm({ list, lists, onClose }: Omit<SegmentDialogProps, 'isOpen'>) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const add = useCall(addList);
  const update = useCall(updateList);
  const anyGroup = lists.find(isGroup)?.ListID ?? 0;
  const [name, setName] = useState(list?.ListName ?? '');
  const [color, setColor] = useState(list?.Color ?? 0);
  const [match, setMatch] = useState<Segment['Match']>(list?.Segment?.Match ?? 'all');
  const [rows, setRows] = useState<readonly Row[]>(() =>
    (list?.Segment?.Rules ?? [ruleAbout('consent', 0)]).map((rule, key) => ({ key, rule })),
  );
  const [nameProblem, setNameProblem] = useState<string>();
  const [phoneId, setPhoneId] = useState(list?.PhoneListID ?? '');
  const [phoneIdProblem, setPhoneIdProblem] = useState<string>();
  const [refusal, setRefusal] = useState('');
  const isSaving = add.isPending || update.isPending;
  const segment = { Match: match, Rules: rows.map(({ rule }) => rule) };
  const asked = askable(segment);

  const submit = async () => {
    const existing = lists.filter(({ ListID }) => ListID !== list?.ListID).map(({ ListName }) => ListName);
    const checked = groupForm({ existing }).safeParse({ ListName: name });
    setNameProblem(checked.error?.issues[0]?.message);
    setRefusal(asked ? '' : 'Complete or remove every condition.');
    const badPhoneId = phoneListIdProblem(phoneId, lists, list?.ListID);
    setPhoneIdProblem(badPhoneId);
    if (!checked.success || !asked || badPhoneId !== undefined) return;
    const body = { ...checked.data, Color: color, Segment: asked, PhoneListID: phoneId };
    try {
      const saved = list
        ? await update.mutateAsync({ params: { ListID: list.ListID }, body })
        : await add.mutateAsync({ body });
      freshenContacts(client);
      onClose();
      void navigate({ to: '/contacts/group/$listId', params: { listId: saved.ListID }, search: {} });
    } catch (error) {
      const { ListName: message, PhoneListID } = fieldMessages(error);
      setPhoneIdProblem(PhoneListID);
      if (message) setNameProblem(message);
      else if (PhoneListID !== undefined) return;
      else
        setRefusal(
          shownMessage(
            error,
            genericMessage(list ? 'updating' : 'adding', { one: 'segment', many: 'segments' }),
          ),
        );
    }
  };

  return (
    <DialogForm
      title={list ? 'Edit segment' : 'New segment'}
      intro="A segment includes everyone who matches its conditions. It’s updated each time you use it."
      problem={refusal}
      action={list ? 'Save' : 'Create segment'}
      isDisabled={isSaving}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField
        autoFocus
        label="Segment name"
        autoComplete="off"
        value={name}
        error={nameProblem}
        onChange={(event) => {
          setName(event.target.value);
          setNameProblem(undefined);
        }}
      />
      <Box sx={{ display: 'grid', gap: 1 }}>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, flexWrap: 'wrap' }}>
          People who match
          <Select
            value={match}
            onChange={(event) => setMatch(event.target.value === 'any' ? 'any' : 'all')}
            SelectDisplayProps={{ 'aria-label': 'How many conditions must match' }}
          >
            <MenuItem value="all">all</MenuItem>
            <MenuItem value="any">any</MenuItem>
          </Select>
          of these conditions
        </Box>
        <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1 }}>
          {rows.map(({ key, rule }, index) => (
            <SegmentRow
              key={key}
              number={index + 1}
              rule={rule}
              groups={lists}
              isOnly={rows.length === 1}
              onChange={(next) =>
                setRows((before) => before.map((row) => (row.key === key ? { key, rule: next } : row)))
              }
              onRemove={() => setRows((before) => before.filter((row) => row.key !== key))}
            />
          ))}
        </Box>
        <Box>
          <Button
            variant="text"
            size="small"
            startIcon={<Plus aria-hidden />}
            disabled={rows.length >= MOST_RULES}
            onClick={() =>
              setRows((before) => [
                ...before,
                { key: Math.max(...before.map(({ key }) => key)) + 1, rule: ruleAbout('group', anyGroup) },
              ])
            }
          >
            Add a condition
          </Button>
        </Box>
      </Box>
      <Found segment={asked} />
      <ColorField value={color} onChange={setColor} />
      <PhoneListId
        value={phoneId}
        error={phoneIdProblem}
        onChange={(next) => {
          setPhoneId(next);
          setPhoneIdProblem(undefined);
        }}
      />
    </DialogForm>
  );
}

/** Number of contacts that the current query finds, and the first of them. */
function Found({ segment }: { segment: Segment | undefined }) {
  const wanted = segment === undefined ? '' : JSON.stringify(segment);
  const asked = useDebounced(wanted, COUNT_DELAY_MS);
  const { data, isError, isPlaceholderData } = useQuery({
    queryKey: [countSegment.path, {}, {}, asked],
    queryFn: ({ signal }) =>
      callApi(
        countSegment,
        { body: { Segment: JSON.parse(asked) as Segment } },
        { signal, missing: 'refuse' },
      ),
    enabled: asked !== '',
    placeholderData: (before) => before,
  });
  const names = (data?.Items ?? []).slice(0, 3).map(nameOfContact);
  const rest = (data?.Size ?? 0) - names.length;
  // The count of the previous conditions stays, dimmed, while the new ones are counted.
  const isOld = wanted !== asked || isPlaceholderData;
  return (
    <Box
      role="status"
      aria-busy={isOld}
      sx={{
        minHeight: 44,
        px: '14px',
        py: '12px',
        borderRadius: '10px',
        bgcolor: 'surface.sunken',
        color: 'text.secondary',
        '& > *': { opacity: isOld ? 0.6 : 1 },
      }}
    >
      {segment === undefined ? (
        'Complete the conditions to see who matches.'
      ) : isError ? (
        'We couldn’t count the people. Try again in a moment.'
      ) : !data ? (
        'Counting…'
      ) : (
        <>
          <Box component="strong" sx={{ fontWeight: 600, color: 'text.primary' }}>
            {data.IsMore ? 'More than ' : ''}
            {countOf(data.Size, 'person matches', 'people match')}
          </Box>
          {names.length > 0 && `: ${names.join(', ')}${rest > 0 ? ' and others' : ''}`}
        </>
      )}
    </Box>
  );
}
