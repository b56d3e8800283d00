import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Download, ScrollText } from 'lucide-react';
import { useRef } from 'react';
import { listAccountUsers } from '../../../contract/addresses/accounts.gen.ts';
import { downloadAuditLog, listAuditLog } from '../../../contract/addresses/audit.gen.ts';
import { auditAreas } from '../../../contract/audit-areas.ts';
import { areaLabels } from '../../../contract/audit-entry.ts';
import { shownMessage } from '../../api.ts';
import { callPages, useCallQuery } from '../../queries/calls.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { Card } from '../../ui/card.tsx';
import { Choice } from '../../ui/choices.tsx';
import { downloadUrl } from '../../ui/download-url.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextField } from '../../ui/field.tsx';
import { KeptRows } from '../../ui/kept-rows.tsx';
import { useKeys } from '../../ui/keys.tsx';
import { useNow } from '../../ui/now.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { say } from '../../ui/say.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { auditQuery, daysChoices } from './audit-query.ts';
import { AuditRows } from './audit-rows.tsx';
import type { AuditSearch } from './audit-search.ts';

interface AuditLogPageProps {
  search: AuditSearch;
  onChange: (change: Partial<AuditSearch>) => void;
}

/** Lists who did what, newest first. */
export function AuditLogPage({ search, onChange }: AuditLogPageProps) {
  const zone = useTimeZone();
  const now = useNow();
  const asked = auditQuery(search, now, zone);
  const list = useInfiniteQuery({
    ...callPages(listAuditLog, { query: { ...asked, pagesize: 50 } }),
    placeholderData: keepPreviousData,
  });
  const items = list.data?.pages.flatMap(({ Items }) => Items) ?? [];
  const days = new Map(list.data?.pages.flatMap(({ Days }) => Days.map((day) => [day.Date, day.Count])));
  const keptMonths = list.data?.pages[0]?.KeptMonths;
  const { entry: _entry, ...filters } = asked;
  return (
    <>
      <PageHead
        title="Audit log"
        crumb={say('Settings')}
        sentence="Who changed what, when and from where."
        actions={
          <Button
            component="a"
            href={downloadUrl(downloadAuditLog, { query: filters })}
            download
            startIcon={<Download aria-hidden />}
          >
            Download CSV
          </Button>
        }
      />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, display: 'grid', gap: 2 }}>
        <Filters search={search} onChange={onChange} keptMonths={keptMonths} />
        <Card>
          {list.isPending && <SkeletonRows rows={8} face={26} rowHeight={44} label="Loading the audit log" />}
          {list.isError && !list.data && (
            <Box sx={{ p: 2.5 }}>
              <RetryNotice onRetry={() => void list.refetch()}>
                {shownMessage(list.error, 'There was an error getting the audit log.')}
              </RetryNotice>
            </Box>
          )}
          {list.data && items.length === 0 && (
            <EmptyState icon={ScrollText} title="No entries">
              {search.entry === undefined
                ? 'Nothing happened that fits these filters.'
                : 'This entry is no longer kept.'}
            </EmptyState>
          )}
          {items.length > 0 && (
            <KeptRows isOld={list.isPlaceholderData}>
              <AuditRows {...{ items, days, zone, now }} openEntry={search.entry} />
            </KeptRows>
          )}
          {list.hasNextPage && (
            <Box
              sx={{
                display: 'grid',
                placeItems: 'center',
                p: 1.5,
                borderTop: '1px solid',
                borderColor: 'line.hair',
              }}
            >
              <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                Show more
              </Button>
            </Box>
          )}
        </Card>
        {search.entry !== undefined && (
          <Button sx={{ justifySelf: 'start' }} onClick={() => onChange({ entry: undefined })}>
            Show the whole log
          </Button>
        )}
      </Box>
    </>
  );
}

function Filters({ search, onChange, keptMonths }: AuditLogPageProps & { keptMonths: number | undefined }) {
  const searchRef = useRef<HTMLInputElement>(null);
  useKeys({ '/': () => searchRef.current?.focus() });
  const users = useCallQuery(listAccountUsers, { query: { page: 'all' } }, { staleTime: 300_000 });
  const people = (users.data?.Items ?? []).map(({ UserID, FirstName, LastName }) => ({
    value: String(UserID),
    label: `${FirstName} ${LastName}`,
  }));
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
      <SearchField
        q={search.q ?? ''}
        placeholder="Search the log"
        inputRef={searchRef}
        onSearch={(q) => onChange({ q: q || undefined, entry: undefined })}
        sx={{ flex: '1 1 220px', maxWidth: { sm: 300 } }}
      />
      <Box sx={{ flex: '1 1 150px', maxWidth: 200 }}>
        <Choice
          label="Who"
          value={search.who ?? ''}
          choices={[{ value: '', label: 'Anyone' }, { value: 'system', label: 'Muster itself' }, ...people]}
          onChange={(who) => onChange({ who: who || undefined, entry: undefined })}
        />
      </Box>
      <Box sx={{ flex: '1 1 150px', maxWidth: 200 }}>
        <Choice
          label="What"
          value={search.what ?? ''}
          choices={[
            { value: '', label: 'Any change' },
            ...auditAreas.map((area) => ({ value: area, label: areaLabels[area] })),
          ]}
          onChange={(what) =>
            onChange({
              what: (what || undefined) as AuditSearch['what'],
              object: undefined,
              entry: undefined,
            })
          }
        />
      </Box>
      <Box sx={{ flex: '1 1 150px', maxWidth: 200 }}>
        <Choice
          label="When"
          value={search.days ?? ''}
          choices={daysChoices}
          onChange={(days) =>
            onChange({
              days: (days || undefined) as AuditSearch['days'],
              ...{ from: undefined, to: undefined, entry: undefined },
            })
          }
        />
      </Box>
      {search.days === 'custom' && (
        <Box sx={{ display: 'flex', gap: 1 }}>
          {(['from', 'to'] as const).map((end) => (
            <TextField
              key={end}
              label={end === 'from' ? 'First day' : 'Last day'}
              type="date"
              value={search[end] ?? ''}
              onChange={(event) => onChange({ [end]: event.target.value || undefined, entry: undefined })}
            />
          ))}
        </Box>
      )}
      {keptMonths !== undefined && (
        <Typography variant="body2" sx={{ ml: 'auto', color: 'text.secondary' }}>
          {keptMonths === 1 ? 'Kept for a month' : `Kept for ${keptMonths} months`}
        </Typography>
      )}
    </Box>
  );
}
