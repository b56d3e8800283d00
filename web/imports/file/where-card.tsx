import Box from '@mui/material/Box';
import MuiCard from '@mui/material/Card';
import type { ReactNode } from 'react';
import type { ImportDraft } from '../import-draft.ts';
import { useImportTarget } from '../import-target.ts';
import { ConsentField } from './consent-field.tsx';
import { GroupField } from './group-field.tsx';

export function SideCard({ children }: { children: ReactNode }) {
  return <MuiCard sx={{ p: 2.5 }}>{children}</MuiCard>;
}

/** The group that everybody joins, and their consent. Recipients of a broadcast join none. */
export function WhereCard({
  draft,
  onDraft,
  consentError,
  groupError,
}: {
  draft: Pick<ImportDraft, 'Group' | 'Consent'>;
  onDraft: (by: Partial<Pick<ImportDraft, 'Group' | 'Consent'>>) => void;
  consentError: string | undefined;
  groupError?: string | undefined;
}) {
  const { draftId } = useImportTarget();
  return (
    <SideCard>
      <Box sx={{ display: 'grid', gap: 2.5 }}>
        {draftId === undefined && (
          <GroupField value={draft.Group} error={groupError} onChange={(Group) => onDraft({ Group })} />
        )}
        <ConsentField
          isGiven={draft.Consent}
          error={consentError}
          onChange={(Consent) => onDraft({ Consent })}
        />
      </Box>
    </SideCard>
  );
}
