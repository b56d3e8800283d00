import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import {
  CircleSlash,
  FileSpreadsheet,
  ListFilter,
  type LucideIcon,
  Plus,
  UserRoundPlus,
  Users,
  X,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { getContactSummary } from '../../../contract/addresses/drafts.gen.ts';
import type { ContactSummary } from '../../../contract/draft-recipients.ts';
import { errorCatalog } from '../../../contract/reference/error-catalog.ts';
import { shownMessage } from '../../api.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { Card } from '../../ui/card.tsx';
import { DialogHead } from '../../ui/dialog-parts.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { formatCount } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { say } from '../../ui/say.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { AddContactsDialog } from '../wizard/recipients/add-contacts-dialog.tsx';
import { AddGroupsDialog } from '../wizard/recipients/add-groups-dialog.tsx';
import { PersonDialog } from '../wizard/recipients/person-dialog.tsx';
import { RecipientsCard } from '../wizard/recipients/recipients-card.tsx';
import { RemoveDialog } from '../wizard/recipients/remove-dialog.tsx';
import { useRemoval } from '../wizard/recipients/use-removal.ts';
import type { OpenDrip } from './drip-state.ts';
import { leftOutWords } from './drip-words.ts';

type Opened = 'groups' | 'contacts' | 'person' | 'all';

interface PeopleCardProps {
  drip: OpenDrip;
  error: string | undefined;
}

/** The people who get the campaign: where they come from, how many are left out, and ways to add more. */
export function PeopleCard({ drip: { ensure, sequence }, error }: PeopleCardProps) {
  const draftId = sequence?.DraftBroadcastID;
  const [opened, setOpened] = useState<Opened>();
  const summary = useCallQuery(
    getContactSummary,
    { params: { DraftBroadcastID: draftId ?? 0 } },
    { enabled: draftId !== undefined },
  );
  const close = () => setOpened(undefined);
  const open = async (what: Opened) => {
    try {
      await ensure();
      setOpened(what);
    } catch (failure) {
      showSnackbar(shownMessage(failure, errorCatalog.startDrip));
    }
  };
  const { Good = 0, Total = 0, Sources: sources = [], LeftOut = [] } = summary.data ?? {};
  return (
    <Card
      title="Recipients"
      count={formatCount(Good)}
      action={
        Total > 0 && (
          <Button size="small" variant="text" onClick={() => setOpened('all')}>
            See all
          </Button>
        )
      }
    >
      {(error || summary.isError) && (
        <Box sx={{ px: 2.5, pt: 2, display: 'grid', gap: 1.5 }}>
          {error && <Notice kind="error">{error}</Notice>}
          {summary.isError && <Notice kind="error">{errorCatalog.dripRecipients}</Notice>}
        </Box>
      )}
      <Box component="ul" aria-label="Where they come from" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {draftId !== undefined && <SourceLines draftId={draftId} sources={sources} />}
        {Total > Good && (
          <Line
            icon={CircleSlash}
            isWarning
            name="Left out"
            note={leftOutWords(LeftOut)}
            count={`−${formatCount(Total - Good)}`}
          />
        )}
      </Box>
      <Box sx={{ p: '14px 16px', display: 'grid', gap: 1, gridTemplateColumns: '1fr 1fr 1fr' }}>
        {(['contacts', 'groups', 'person'] as const).map((what) => (
          <Button
            key={what}
            size="small"
            startIcon={<Plus aria-hidden />}
            onClick={() => void open(what)}
            sx={{ px: 0.5, minWidth: 0, gap: '4px', '& .MuiButton-startIcon': { m: 0 } }}
          >
            {{ contacts: say('Contacts'), groups: say('Groups'), person: say('Person') }[what]}
          </Button>
        ))}
      </Box>
      {draftId !== undefined && (
        <>
          <AddGroupsDialog draftId={draftId} isOpen={opened === 'groups'} onClose={close} />
          <AddContactsDialog draftId={draftId} count={Total} isOpen={opened === 'contacts'} onClose={close} />
          <PersonDialog
            draftId={draftId}
            type="SMS"
            isOpen={opened === 'person'}
            person={undefined}
            onClose={close}
          />
          <FormDialog isOpen={opened === 'all'} onClose={close} width={860} isFullOnPhone>
            <DialogHead title="Recipients" onClose={close} />
            <Box sx={{ p: 2.5, overflowY: 'auto' }}>
              <RecipientsCard draftId={draftId} type="SMS" summary={summary.data} />
            </Box>
          </FormDialog>
        </>
      )}
    </Card>
  );
}

const kinds: Record<string, { icon: LucideIcon; note: string }> = {
  lists: { icon: Users, note: say('Group') },
  contacts: { icon: UserRoundPlus, note: say('Contacts') },
  typed: { icon: UserRoundPlus, note: 'Added individually' },
  pasted: { icon: ListFilter, note: '' },
  file: { icon: FileSpreadsheet, note: say('File') },
};

interface SourceLinesProps {
  draftId: number;
  sources: ContactSummary['Sources'];
}

/** The sources of the recipients, and how many came from each. Each is removed as a whole. */
function SourceLines({ draftId, sources }: SourceLinesProps) {
  const removal = useRemoval(draftId);
  return (
    <>
      {sources.map(({ SourceID, Kind, Name, Count }) => {
        const { icon = Users, note = '' } = kinds[Kind] ?? {};
        return (
          <Line key={SourceID} icon={icon} name={Name} note={note} count={formatCount(Count)}>
            <Tooltip title="Remove everyone from this source">
              <IconButton
                size="small"
                aria-label={`Remove everyone from ${Name}`}
                disabled={removal.isBusy}
                onClick={() =>
                  removal.ask(
                    { scope: { sourceId: SourceID }, selection: { Type: 'SelectedAll', Items: [] } },
                    Count,
                  )
                }
                sx={{ mr: '-6px' }}
              >
                <X />
              </IconButton>
            </Tooltip>
          </Line>
        );
      })}
      <RemoveDialog count={removal.askedCount} onRemove={removal.confirm} onClose={removal.forget} />
    </>
  );
}

interface LineProps {
  icon: LucideIcon;
  name: string;
  note: string;
  count: string;
  isWarning?: boolean;
  children?: ReactNode;
}

function Line({ icon: Icon, name, note, count, isWarning = false, children }: LineProps) {
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.25,
        px: 2,
        py: '9px',
        borderBottom: '1px solid',
        borderColor: 'line.hair',
      }}
    >
      <Box sx={{ display: 'flex', flex: 'none', color: isWarning ? 'warning.main' : 'text.secondary' }}>
        <Icon size={16} strokeWidth={1.75} aria-hidden />
      </Box>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography noWrap title={name} sx={{ fontWeight: 520 }}>
          {name}
        </Typography>
        {note !== '' && (
          <Typography variant="body2" component="p" sx={{ color: 'text.secondary' }}>
            {note}
          </Typography>
        )}
      </Box>
      <Box sx={{ fontVariantNumeric: 'tabular-nums' }}>{count}</Box>
      {children}
    </Box>
  );
}
