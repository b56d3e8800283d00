import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import IconButton from '@mui/material/IconButton';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Tooltip from '@mui/material/Tooltip';
import { Check, CircleMinus, Pencil, X } from 'lucide-react';
import type { DraftContact } from '../../../../contract/draft-recipients.ts';
import { formatPhone } from '../../../../contract/phone/format-phone.ts';
import { recipientProblemLabels } from '../../../../contract/states/recipient-problem.ts';
import { fullName } from '../../../queries/current-user.ts';
import type { SelectionState } from '../../../queries/selection.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { visuallyHidden } from '../../../ui/visually-hidden.ts';

interface RecipientsTableProps {
  rows: readonly DraftContact[];
  selection: SelectionState<number>;
  onEdit: (row: DraftContact) => void;
  onRemove: (row: DraftContact) => void;
}

const wide = { display: { xs: 'none', sm: 'table-cell' } } as const;
const widest = { display: { xs: 'none', laptop: 'table-cell' } } as const;

/** Shows who the recipients are, whether they get it, and where they came from. */
export function RecipientsTable({ rows, selection, onEdit, onRemove }: RecipientsTableProps) {
  const ids = rows.map(({ RecipientID }) => RecipientID);
  const ticked = ids.filter(selection.isSelected).length;
  return (
    <Table aria-label="Recipients" sx={{ tableLayout: 'fixed' }}>
      <TableHead>
        <TableRow>
          <TableCell sx={{ width: 48 }}>
            <Checkbox
              checked={ticked === ids.length}
              indeterminate={ticked > 0 && ticked < ids.length}
              onChange={() => (ticked === ids.length ? selection.remove(ids) : selection.add(ids))}
              slotProps={{ input: { 'aria-label': 'Select all rows on this page' } }}
              sx={{ ml: '-3px' }}
            />
          </TableCell>
          <TableCell>Recipient</TableCell>
          <TableCell sx={{ ...wide, width: 140 }}>Phone</TableCell>
          <TableCell sx={{ ...wide, width: '30%' }}>Gets it</TableCell>
          <TableCell sx={{ ...widest, width: '18%' }}>From</TableCell>
          <TableCell sx={{ width: 96 }}>
            <span style={visuallyHidden}>Actions</span>
          </TableCell>
        </TableRow>
      </TableHead>
      <TableBody sx={{ '& tr:last-of-type > td': { borderBottom: 0 } }}>
        {rows.map((row) => (
          <RecipientRow
            key={row.RecipientID}
            row={row}
            isTicked={selection.isSelected(row.RecipientID)}
            onToggle={() => selection.toggle(row.RecipientID)}
            onEdit={() => onEdit(row)}
            onRemove={() => onRemove(row)}
          />
        ))}
      </TableBody>
    </Table>
  );
}

interface RecipientRowProps {
  row: DraftContact;
  isTicked: boolean;
  onToggle: () => void;
  onEdit: () => void;
  onRemove: () => void;
}

/** A name, or the number of somebody without one. */
function nameOf(row: DraftContact): string {
  return fullName(row) || (row.PrimaryPhone ? formatPhone(row.PrimaryPhone) : 'No name');
}

const cut = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

function RecipientRow({ row, isTicked, onToggle, onEdit, onRemove }: RecipientRowProps) {
  const name = nameOf(row);
  const phone = row.PrimaryPhone ? formatPhone(row.PrimaryPhone) : '–';
  return (
    <TableRow selected={isTicked} sx={{ '&&.Mui-selected': { bgcolor: 'surface.selected' } }}>
      <TableCell>
        <Checkbox
          checked={isTicked}
          onChange={onToggle}
          slotProps={{ input: { 'aria-label': `Select ${name}` } }}
          sx={{ ml: '-3px' }}
        />
      </TableCell>
      <TableCell sx={{ py: '6px' }}>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: '9px', minWidth: 0 }}>
          <Avatar name={fullName(row)} size={26} />
          <Box sx={{ minWidth: 0 }}>
            <Box sx={{ ...cut, fontWeight: 520 }}>{name}</Box>
            <Box sx={{ display: { sm: 'none' }, typography: 'body2', color: 'text.secondary' }}>
              {phone}
              <Verdict row={row} />
            </Box>
          </Box>
        </Box>
      </TableCell>
      <TableCell sx={{ ...wide, ...cut }}>{phone}</TableCell>
      <TableCell sx={{ ...wide, ...cut }}>
        <Verdict row={row} />
      </TableCell>
      <TableCell sx={{ ...widest, ...cut, color: 'text.secondary' }} title={row.Source}>
        {row.Source}
      </TableCell>
      <TableCell sx={{ whiteSpace: 'nowrap', textAlign: 'right' }}>
        {row.Problem !== 'excluded' && (
          <>
            <Tooltip title="Edit">
              <IconButton size="small" aria-label={`Edit ${name}`} onClick={onEdit}>
                <Pencil />
              </IconButton>
            </Tooltip>
            <Tooltip title="Remove">
              <IconButton size="small" aria-label={`Remove ${name}`} onClick={onRemove}>
                <X />
              </IconButton>
            </Tooltip>
          </>
        )}
      </TableCell>
    </TableRow>
  );
}

/** Good states color only the icon; the reason why somebody is left out is shown in words. */
function Verdict({ row }: { row: DraftContact }) {
  const { Problem, PrimaryPhoneError, DuplicateOf } = row;
  const isGood = Problem === null;
  const Icon = isGood ? Check : CircleMinus;
  const other = Problem === 'duplicate' && DuplicateOf?.Name ? ` ${DuplicateOf.Name} gets it.` : '';
  const meaning = isGood ? 'This person gets it.' : `${PrimaryPhoneError}${other}`;
  return (
    <Tooltip describeChild title={meaning}>
      <Box
        component="span"
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: '6px',
          minWidth: 0,
          color: isGood ? 'text.secondary' : 'warning.main',
        }}
      >
        <Box
          component={Icon}
          size={14}
          strokeWidth={2}
          aria-hidden
          sx={{ flex: 'none', color: isGood ? 'success.main' : 'warning.main' }}
        />
        <Box component="span" sx={cut}>
          {isGood ? 'Yes' : recipientProblemLabels[Problem]}
        </Box>
      </Box>
    </Tooltip>
  );
}
