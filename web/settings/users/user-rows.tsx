import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Checkbox from '@mui/material/Checkbox';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import { Ellipsis, KeyRound, MailPlus, Pencil, UserCheck, UserX, X } from 'lucide-react';
import type { Member } from '../../../contract/account-users.ts';
import type { TextNumber } from '../../../contract/numbers.ts';
import { namesOf } from '../../pieces/numbers/text-number-names.ts';
import { fullName, roleName, useCan, useUser } from '../../queries/current-user.ts';
import type { SelectionState } from '../../queries/selection.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { say } from '../../ui/say.ts';
import { useMenu } from '../../ui/use-menu.ts';
import type { UserActions } from './user-actions.ts';
import { userStatus } from './user-view.ts';

export interface UserRowProps {
  member: Member;
  numbers: readonly TextNumber[];
  selection: SelectionState<number>;
  actions: UserActions;
  onEdit: (member: Member) => void;
  onDeactivate: (member: Member) => void;
  onReset: (member: Member) => void;
}

const oneLine = { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

/** A row of the table. */
export function UserRow(props: UserRowProps) {
  const { member, numbers, selection } = props;
  const isTicked = selection.isSelected(member.UserID);
  const cell = { px: '10px', borderBottom: '1px solid', borderColor: 'line.hair', ...oneLine } as const;
  return (
    <Box
      component="tr"
      aria-selected={isTicked}
      sx={{
        height: 56,
        color: 'text.secondary',
        bgcolor: isTicked ? 'surface.selected' : 'transparent',
        '&:hover': { bgcolor: isTicked ? 'surface.selected' : 'surface.sunken' },
      }}
    >
      <Box component="td" sx={{ ...cell, p: 0, pl: '8px', textAlign: 'center' }}>
        <Tick {...props} />
      </Box>
      <Box component="td" sx={cell}>
        <Person {...props} />
      </Box>
      <Box component="td" sx={{ ...cell, display: { xs: 'none', md: 'table-cell' } }}>
        {roleName(member)}
      </Box>
      <Box component="td" sx={cell}>
        <Status member={member} />
      </Box>
      <Box component="td" sx={{ ...cell, display: { xs: 'none', laptop: 'table-cell' } }}>
        {numbersWords(member, numbers)}
      </Box>
      <Box component="td" sx={{ ...cell, display: { xs: 'none', md: 'table-cell' } }}>
        <LastSeen member={member} />
      </Box>
      <Box component="td" sx={{ ...cell, px: '8px', textAlign: 'right' }}>
        <RowMenu {...props} />
      </Box>
    </Box>
  );
}

/** The row on a phone. */
export function UserCard(props: UserRowProps) {
  const { member, selection } = props;
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: '4px',
        minHeight: 64,
        px: 1,
        borderBottom: '1px solid',
        borderColor: 'line.hair',
        bgcolor: selection.isSelected(member.UserID) ? 'surface.selected' : 'transparent',
      }}
    >
      <Tick {...props} />
      <Person {...props} hasRole />
      <Status member={member} />
      <RowMenu {...props} />
    </Box>
  );
}

function numbersWords(member: Member, numbers: readonly TextNumber[]): string {
  if (member.IsMasterUser || member.IsAccountAdmin) return 'All numbers';
  return member.TextNumbers.length === 0 ? say('None') : namesOf(member.TextNumbers, numbers);
}

function Tick({ member, selection }: UserRowProps) {
  return (
    <Checkbox
      checked={selection.isSelected(member.UserID)}
      onChange={() => selection.toggle(member.UserID)}
      slotProps={{ input: { 'aria-label': `Select ${fullName(member)}` } }}
    />
  );
}

function Person({ member, onEdit, hasRole = false }: UserRowProps & { hasRole?: boolean }) {
  const self = useUser();
  const name = fullName(member);
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: '10px', minWidth: 0, flex: 1 }}>
      <Avatar name={name} size={32} src={member.PictureUrl} isDone={!member.IsActive} />
      <Box sx={{ minWidth: 0 }}>
        <ButtonBase
          onClick={() => onEdit(member)}
          sx={{
            ...oneLine,
            display: 'block',
            maxWidth: '100%',
            font: 'inherit',
            fontWeight: 550,
            textAlign: 'left',
            borderRadius: '4px',
            color: member.IsActive ? 'text.primary' : 'text.secondary',
            '&:hover': { textDecoration: 'underline' },
          }}
        >
          {name}
          {member.UserID === self?.UserID && ' (you)'}
        </ButtonBase>
        <Box sx={{ ...oneLine, typography: 'body2', color: 'text.secondary' }}>
          {hasRole ? `${roleName(member)} · ${member.Email}` : member.Email}
        </Box>
      </Box>
    </Box>
  );
}

function Status({ member }: { member: Member }) {
  const words = userStatus(member);
  const isWrong =
    member.Invitation !== null && (member.Invitation.IsExpired || member.Invitation.Problem !== null);
  const look = member.IsActive
    ? { bgcolor: 'tint.success', color: 'success.main' }
    : isWrong
      ? { bgcolor: 'tint.warning', color: 'warning.main' }
      : { bgcolor: 'tint.neutral', color: 'text.secondary' };
  const chip = <Chip label={words} sx={{ ...look, fontWeight: 550 }} />;
  const problem = member.Invitation?.Problem;
  return problem ? (
    <Tooltip describeChild title={problem}>
      {chip}
    </Tooltip>
  ) : (
    chip
  );
}

function LastSeen({ member }: { member: Member }) {
  if (member.Invitation) {
    return (
      <>
        Invited <RelativeTime at={member.Invitation.SentTimestamp} />
      </>
    );
  }
  return member.LastSeenTimestamp ? <RelativeTime at={member.LastSeenTimestamp} /> : say('Never');
}

function RowMenu({ member, actions, onEdit, onDeactivate, onReset }: UserRowProps) {
  const menu = useMenu();
  const self = useUser();
  const canManageOwners = useCan('manageOwners');
  const name = fullName(member);
  const only = { Type: 'Selected' as const, Items: [member.UserID] };
  // Only owners change owners, so there is nothing to choose.
  if (member.IsMasterUser && !canManageOwners) {
    return <Box component="span" sx={{ display: 'inline-block', width: 36, flex: 'none' }} />;
  }
  const danger = { color: 'error.main', '& svg': { color: 'inherit' } } as const;
  return (
    <>
      <IconButton aria-label={`More actions for ${name}`} {...menu.buttonProps}>
        <Ellipsis />
      </IconButton>
      <Menu {...menu.menuProps}>
        <MenuItem onClick={menu.choose(() => onEdit(member))}>
          <Pencil aria-hidden />
          Edit
        </MenuItem>
        {member.Invitation && [
          <MenuItem key="again" onClick={menu.choose(() => void actions.resend(member))}>
            <MailPlus aria-hidden />
            Send invitation again
          </MenuItem>,
          <MenuItem key="withdraw" onClick={menu.choose(() => void actions.withdraw(member))} sx={danger}>
            <X aria-hidden />
            Withdraw invitation
          </MenuItem>,
        ]}
        {!member.Invitation && !member.IsActive && (
          <MenuItem onClick={menu.choose(() => void actions.activate(only, true))}>
            <UserCheck aria-hidden />
            Activate
          </MenuItem>
        )}
        {member.HasSecondFactor && member.UserID !== self?.UserID && (
          <MenuItem onClick={menu.choose(() => onReset(member))}>
            <KeyRound aria-hidden />
            Reset second factor
          </MenuItem>
        )}
        {member.IsActive && member.UserID !== self?.UserID && (
          <MenuItem onClick={menu.choose(() => onDeactivate(member))} sx={danger}>
            <UserX aria-hidden />
            Deactivate
          </MenuItem>
        )}
      </Menu>
    </>
  );
}
