import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import { FileSpreadsheet, ListFilter, type LucideIcon, UserRound, Users, X } from 'lucide-react';
import type { ContactSummary } from '../../../../contract/draft-recipients.ts';
import { formatCount } from '../../../ui/format.ts';
import { RemoveDialog } from './remove-dialog.tsx';
import { useRemoval } from './use-removal.ts';

const icons: Record<string, LucideIcon> = {
  lists: Users,
  contacts: UserRound,
  typed: UserRound,
  pasted: ListFilter,
  file: FileSpreadsheet,
};

interface SourcesProps {
  draftId: number;
  sources: ContactSummary['Sources'];
  /** People are still being added or removed; until that is done, no source can be removed. */
  isChanging: boolean;
}

/**
 * The sources of the recipients, and how many came from each: "Grade 3 312", "2 pasted numbers". Each is removed
 * as a whole.
 */
export function Sources({ draftId, sources, isChanging }: SourcesProps) {
  const removal = useRemoval(draftId);
  const takeOut = ({ SourceID, Count }: ContactSummary['Sources'][number]) =>
    removal.ask({ scope: { sourceId: SourceID }, selection: { Type: 'SelectedAll', Items: [] } }, Count);
  return (
    <>
      {sources.length > 0 && (
        <Box
          component="ul"
          aria-label="Where they come from"
          sx={{ listStyle: 'none', p: 0, display: 'flex', flexWrap: 'wrap', gap: '8px' }}
        >
          {sources.map((source) => (
            <Source
              key={source.SourceID}
              source={source}
              isDisabled={isChanging || removal.isBusy}
              onTakeOut={() => takeOut(source)}
            />
          ))}
        </Box>
      )}
      <RemoveDialog count={removal.askedCount} onRemove={removal.confirm} onClose={removal.forget} />
    </>
  );
}

interface SourceProps {
  source: ContactSummary['Sources'][number];
  isDisabled: boolean;
  onTakeOut: () => void;
}

function Source({ source: { Kind, Name, Count }, isDisabled, onTakeOut }: SourceProps) {
  const Icon = icons[Kind] ?? Users;
  return (
    <Box component="li" sx={{ position: 'relative', minWidth: 0, maxWidth: '100%' }}>
      <Chip
        icon={<Icon size={14} strokeWidth={2} aria-hidden />}
        label={
          <>
            {Name}
            {!Name.startsWith(`${formatCount(Count)} `) && (
              <Box
                component="span"
                sx={{ ml: '6px', color: 'text.primary', fontVariantNumeric: 'tabular-nums' }}
              >
                {formatCount(Count)}
              </Box>
            )}
          </>
        }
        title={Name}
        sx={{ height: 28, maxWidth: '100%', pr: '22px' }}
      />
      {/* Over the chip, not inside it: a chip that can be deleted is a button, and a button can't contain
          another one. */}
      <IconButton
        aria-label={`Remove everyone from ${Name}`}
        title="Remove everyone from this source"
        disabled={isDisabled}
        onClick={onTakeOut}
        sx={{
          position: 'absolute',
          top: 2,
          right: 3,
          width: '24px !important',
          height: '24px !important',
          borderRadius: '50%',
          '& > svg': { width: 14, height: 14 },
        }}
      >
        <X aria-hidden />
      </IconButton>
    </Box>
  );
}
