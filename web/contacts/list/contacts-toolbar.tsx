import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Divider from '@mui/material/Divider';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import { Check, Columns3, Download, ListFilter, X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { consentFilters } from '../../../contract/contacts.ts';
import type { ListState } from '../../queries/list-search.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { useMenu } from '../../ui/use-menu.ts';
import { useCustomFields } from '../contact/contact-queries.ts';
import type { ExportFormat } from './contacts-actions.ts';
import { columnNames, columnOfField, type useColumns } from './contacts-columns.ts';
import { type ContactsFilter, consentNames, problemName, readFilter, writeFilter } from './contacts-view.ts';
import { ExportMenu } from './export-menu.tsx';

interface ContactsToolbarProps {
  state: ListState;
  onChange: (by: Partial<ListState>, how?: { replace?: boolean }) => void;
  searchRef: RefObject<HTMLInputElement | null>;
  columns: ReturnType<typeof useColumns>;
  isPhone: boolean;
  canExport: boolean;
  onExport: (format: ExportFormat) => void;
  /** Below 1024 px the groups are here. */
  groupSelect: ReactNode;
  /** The actions on ticked rows: the bar covers the tools, so that no row moves under the pointer. */
  bar: ReactNode;
}

export function ContactsToolbar(props: ContactsToolbarProps) {
  const { state, onChange, searchRef, columns, isPhone, canExport, onExport, groupSelect, bar } = props;
  const filter = readFilter(state.filter);
  const onFilter = (next: ContactsFilter) => onChange({ filter: writeFilter(next) });
  return (
    <Box sx={{ position: 'relative', flex: 'none' }}>
      <Box
        sx={{
          visibility: bar ? 'hidden' : 'visible',
          display: 'flex',
          alignItems: 'center',
          flexWrap: 'wrap',
          gap: 1,
          minHeight: 56,
          px: 2,
          py: '10px',
          borderBottom: '1px solid',
          borderColor: 'line.hair',
        }}
      >
        {groupSelect}
        <SearchField
          q={state.q}
          placeholder="Search name, phone or note"
          inputRef={searchRef}
          onSearch={(q) => onChange({ q }, { replace: true })}
          sx={{ flex: { xs: '1 1 140px', laptop: '0 1 280px' }, minWidth: 0 }}
        />
        <FilterMenu filter={filter} isIconOnly={isPhone} onFilter={onFilter} />
        {!isPhone && (
          <Box sx={{ display: 'flex', gap: '6px', minWidth: 0, overflow: 'hidden' }}>
            <FilterChips filter={filter} onFilter={onFilter} />
          </Box>
        )}
        <Box sx={{ flex: { xs: 'none', laptop: 1 } }} />
        {!isPhone && <ColumnsMenu columns={columns} />}
        {canExport && <ExportButton isIconOnly={groupSelect !== null} onExport={onExport} />}
        {isPhone && (filter.consent || filter.problem) && (
          <Box sx={{ display: 'flex', gap: '6px', flexBasis: '100%' }}>
            <FilterChips filter={filter} onFilter={onFilter} />
          </Box>
        )}
      </Box>
      {bar && (
        <Box sx={{ position: 'absolute', inset: 0, display: 'flex', '& > [role=toolbar]': { flex: 1 } }}>
          {bar}
        </Box>
      )}
    </Box>
  );
}

interface FilterProps {
  filter: ContactsFilter;
  onFilter: (filter: ContactsFilter) => void;
}

function FilterMenu({ filter, isIconOnly, onFilter }: FilterProps & { isIconOnly: boolean }) {
  const menu = useMenu();
  const isOn = filter.consent !== undefined || filter.problem;
  const choose = (next: ContactsFilter) => menu.choose(() => onFilter(next));
  return (
    <>
      {isIconOnly ? (
        <IconButton aria-label="Filter" aria-pressed={isOn} {...menu.buttonProps}>
          <ListFilter />
        </IconButton>
      ) : (
        <Button startIcon={<ListFilter aria-hidden />} {...menu.buttonProps}>
          Filter
        </Button>
      )}
      <Menu {...menu.menuProps} slotProps={{ paper: { sx: { minWidth: 200 } } }}>
        {[undefined, ...consentFilters].map((consent) => (
          <MenuItem
            key={consent ?? 'any'}
            role="menuitemradio"
            aria-checked={filter.consent === consent}
            onClick={choose({ ...filter, consent })}
          >
            <Box sx={{ flex: 1 }}>{consent ? consentNames[consent] : 'Any consent status'}</Box>
            {filter.consent === consent && <Check aria-hidden />}
          </MenuItem>
        ))}
        <Divider sx={{ my: '4px !important' }} />
        <MenuItem
          role="menuitemcheckbox"
          aria-checked={filter.problem}
          onClick={choose({ ...filter, problem: !filter.problem })}
        >
          <Box sx={{ flex: 1 }}>{problemName}</Box>
          {filter.problem && <Check aria-hidden />}
        </MenuItem>
      </Menu>
    </>
  );
}

/** The active filters stay in sight, and each can be removed. */
function FilterChips({ filter, onFilter }: FilterProps) {
  const parts = [
    ...(filter.consent
      ? [{ name: consentNames[filter.consent], without: { ...filter, consent: undefined } }]
      : []),
    ...(filter.problem ? [{ name: problemName, without: { ...filter, problem: false } }] : []),
  ];
  return parts.map(({ name, without }) => (
    <Button
      key={name}
      size="small"
      variant="text"
      endIcon={<X aria-hidden />}
      aria-label={`Remove filter: ${name}`}
      onClick={() => onFilter(without)}
      sx={{
        bgcolor: 'tint.accent',
        color: 'tint.accentInk',
        '&:hover': { bgcolor: 'tint.accentLine' },
        '& .MuiButton-endIcon > svg': { width: 14, height: 14 },
      }}
    >
      {name}
    </Button>
  ));
}

function ColumnsMenu({ columns: { shown, toggle } }: { columns: ReturnType<typeof useColumns> }) {
  const menu = useMenu();
  const fields = useCustomFields();
  const choices = [
    ...Object.entries(columnNames).map(([name, label]) => ({ name, label })),
    ...fields.map((field) => ({ name: columnOfField(field), label: field.Name })),
  ];
  return (
    <>
      <Tooltip title="Columns">
        <IconButton aria-label="Columns" {...menu.buttonProps}>
          <Columns3 />
        </IconButton>
      </Tooltip>
      <Menu {...menu.menuProps} slotProps={{ paper: { sx: { minWidth: 200, maxHeight: 420 } } }}>
        {choices.map(({ name, label }) => (
          <MenuItem
            key={name}
            role="menuitemcheckbox"
            aria-checked={shown.includes(name)}
            onClick={() => toggle(name)}
          >
            <Checkbox
              checked={shown.includes(name)}
              tabIndex={-1}
              disableRipple
              slotProps={{ input: { 'aria-hidden': true, tabIndex: -1 } }}
            />
            {label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}

function ExportButton({
  isIconOnly,
  onExport,
}: {
  isIconOnly: boolean;
  onExport: (format: ExportFormat) => void;
}) {
  const menu = useMenu();
  return (
    <>
      {isIconOnly ? (
        <IconButton aria-label="Export" {...menu.buttonProps}>
          <Download />
        </IconButton>
      ) : (
        <Button variant="text" startIcon={<Download aria-hidden />} {...menu.buttonProps}>
          Export
        </Button>
      )}
      <ExportMenu anchor={menu.anchorEl} onChoose={onExport} onClose={menu.close} />
    </>
  );
}
