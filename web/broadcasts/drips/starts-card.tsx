import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { listLists } from '../../../contract/addresses/contacts.gen.ts';
import { listKeywords } from '../../../contract/addresses/replies.gen.ts';
import { pageSizes } from '../../../contract/reference/paging.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { Card } from '../../ui/card.tsx';
import { Choice } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { SwitchRow } from '../../ui/switch-row.tsx';
import type { DripDraft } from './drip-state.ts';
import { startWords } from './drip-words.ts';

interface StartsCardProps {
  draft: DripDraft;
  errors: Record<string, string>;
  onChange: (by: Partial<DripDraft>) => void;
}

const starts = (['dates', 'group', 'keyword', 'join'] as const).map((value) => ({
  value,
  label: startWords[value],
}));

/** The conditions that begin and end a campaign for a person. */
export function StartsCard({ draft, errors, onChange }: StartsCardProps) {
  const { startsOn, groupId, keywordId, includesMembers, skipsWeekends, stopsOnReply, shortenLinks } = draft;
  return (
    <Card title="When it starts">
      <Box sx={{ p: 2.5, display: 'grid', gap: 2 }}>
        <Choice
          label="What starts it"
          value={startsOn}
          choices={starts}
          onChange={(value) => onChange({ startsOn: value as DripDraft['startsOn'] })}
        />
        {startsOn === 'group' && (
          <>
            <GroupField value={groupId} error={errors.groupId} onChange={(id) => onChange({ groupId: id })} />
            <SwitchRow
              label="Include current members"
              help="They start when the campaign starts."
              isOn={includesMembers}
              onChange={(isOn) => onChange({ includesMembers: isOn })}
            />
          </>
        )}
        {startsOn === 'keyword' && (
          <KeywordField
            value={keywordId}
            error={errors.keywordId}
            onChange={(id) => onChange({ keywordId: id })}
          />
        )}
        {startsOn === 'join' && (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            Everyone who texts JOIN to this campaign’s number.
          </Typography>
        )}
        {startsOn !== 'dates' && (
          <SwitchRow
            label="Skip weekends"
            help="A step that falls on a weekend goes out on Monday."
            isOn={skipsWeekends}
            onChange={(isOn) => onChange({ skipsWeekends: isOn })}
          />
        )}
        <SwitchRow
          label="Stop when they reply"
          help="Whoever replies gets no further steps. STOP always ends it."
          isOn={stopsOnReply}
          onChange={(isOn) => onChange({ stopsOnReply: isOn })}
        />
        {(shortenLinks || draft.steps.some(({ message }) => /https?:\/\//i.test(message))) && (
          <SwitchRow
            label="Short links"
            help="Shortens links on your own address, one for each person, and counts who opens them"
            isOn={shortenLinks}
            onChange={(isOn) => onChange({ shortenLinks: isOn })}
          />
        )}
      </Box>
    </Card>
  );
}

interface OneFieldProps {
  value: number | null;
  error: string | undefined;
  onChange: (id: number | null) => void;
}

function GroupField(props: OneFieldProps) {
  const { data } = useCallQuery(listLists, { query: { pagesize: pageSizes.groups } });
  const options = (data?.Items ?? []).flatMap(({ ListID, ListName }) =>
    ListID > 0 ? [{ id: ListID, name: ListName }] : [],
  );
  return <OneOf label="Group" placeholder="Choose a group" options={options} {...props} />;
}

function KeywordField(props: OneFieldProps) {
  const { data } = useCallQuery(listKeywords, { query: { pagesize: 1000 } });
  const options = (data?.Items ?? []).flatMap(({ ID, Keyword, Active }) =>
    Active ? [{ id: ID, name: Keyword }] : [],
  );
  return <OneOf label="Keyword" placeholder="Choose a keyword" options={options} {...props} />;
}

interface OneOfProps extends OneFieldProps {
  label: string;
  placeholder: string;
  options: readonly { id: number; name: string }[];
}

function OneOf({ label, placeholder, options, value, error, onChange }: OneOfProps) {
  return (
    <Field label={label} error={error}>
      {({ id, ...aria }) => (
        <Autocomplete
          id={id}
          autoHighlight
          options={options}
          value={options.find((option) => option.id === value) ?? null}
          getOptionLabel={({ name }) => name}
          getOptionKey={(option) => option.id}
          isOptionEqualToValue={(one, other) => one.id === other.id}
          onChange={(_, chosen) => onChange(chosen?.id ?? null)}
          renderInput={({ slotProps: { input, htmlInput } }) => (
            <OutlinedInput
              {...input}
              fullWidth
              error={error !== undefined}
              placeholder={placeholder}
              slotProps={{ input: { ...htmlInput, ...aria, autoComplete: 'off' } }}
            />
          )}
        />
      )}
    </Field>
  );
}
