import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import {
  ArrowRight,
  Ban,
  Check,
  CheckCheck,
  ChevronDown,
  ChevronUp,
  Download,
  KeyRound,
  Link2,
  LogIn,
  LogOut,
  type LucideIcon,
  Pause,
  Pencil,
  Play,
  Plus,
  Send,
  Terminal,
  Trash2,
  TriangleAlert,
  Undo2,
  Upload,
} from 'lucide-react';
import { Fragment, useId, useState } from 'react';
import type { listAuditLog } from '../../../contract/addresses/audit.gen.ts';
import { mostCounted } from '../../../contract/audit-areas.ts';
import type { Reply } from '../../../contract/call.ts';
import { Mark } from '../../shell/mark.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import {
  countOf,
  dayKey,
  formatAbsolute,
  formatCount,
  formatDate,
  formatDay,
  formatTime,
} from '../../ui/format.ts';
import { locale } from '../../ui/locale.ts';
import { say } from '../../ui/say.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';

type Entry = Reply<typeof listAuditLog>['Items'][number];

interface AuditRowsProps {
  items: readonly Entry[];
  /** Number of entries of each day, also those that aren't shown yet. */
  days: ReadonlyMap<string, number>;
  zone: string;
  now: number;
  /** Shown open: a link led to it. */
  openEntry: string | undefined;
}

/** Time, who, what, from where: on a phone two lines. */
const columns = { xs: '72px minmax(0, 1fr) 24px', md: '88px 200px minmax(0, 1fr) 200px 24px' };
const hair = { borderTop: '1px solid', borderColor: 'line.hair' } as const;

/** Entries under the days that they happened on. */
export function AuditRows({ items, days, zone, now, openEntry }: AuditRowsProps) {
  const [open, setOpen] = useState<string | undefined>(openEntry);
  return (
    <div>
      <Box
        aria-hidden
        sx={{
          display: { xs: 'none', md: 'grid' },
          gridTemplateColumns: columns,
          columnGap: 1.5,
          px: 2.5,
          py: 1,
          typography: 'caption',
          color: 'text.secondary',
          bgcolor: 'surface.sunken',
        }}
      >
        {[say('Time'), say('Who'), say('What'), say('From')].map((name) => (
          <span key={name}>{name}</span>
        ))}
      </Box>
      <Box component="ul" aria-label="Entries" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {items.map((entry, index) => {
          const day = dayKey(entry.Timestamp, zone);
          const before = items[index - 1];
          const isFirst = before === undefined || dayKey(before.Timestamp, zone) !== day;
          return (
            <Fragment key={entry.EntryID}>
              {isFirst && (
                <Box
                  component="li"
                  sx={{
                    ...hair,
                    px: 2.5,
                    py: 0.75,
                    display: 'flex',
                    justifyContent: 'space-between',
                    gap: 2,
                    color: 'text.secondary',
                    bgcolor: 'surface.sunken',
                  }}
                >
                  <Typography
                    component="h2"
                    variant="body2"
                    sx={{ fontWeight: 550, color: 'text.secondary' }}
                  >
                    {dayWords(entry.Timestamp, now, zone)}
                  </Typography>
                  <Typography variant="body2">{countWords(days.get(day))}</Typography>
                </Box>
              )}
              <Row
                entry={entry}
                zone={zone}
                isOpen={open === entry.EntryID}
                onToggle={() => setOpen(open === entry.EntryID ? undefined : entry.EntryID)}
              />
            </Fragment>
          );
        })}
      </Box>
    </div>
  );
}

interface RowProps {
  entry: Entry;
  zone: string;
  isOpen: boolean;
  onToggle: () => void;
}

function Row({ entry, zone, isOpen, onToggle }: RowProps) {
  const id = useId();
  const Chevron = isOpen ? ChevronUp : ChevronDown;
  return (
    <Box
      component="li"
      sx={{
        ...hair,
        ...(isOpen && { boxShadow: (theme) => `inset 3px 0 ${theme.vars.palette.primary.main}` }),
      }}
    >
      <ButtonBase
        onClick={onToggle}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        sx={{
          width: '100%',
          minHeight: 44,
          px: 2.5,
          py: 0.75,
          display: 'grid',
          gridTemplateColumns: columns,
          columnGap: 1.5,
          alignItems: 'center',
          textAlign: 'left',
          font: 'inherit',
          ...(isOpen && { bgcolor: 'tint.accent' }),
          '&:hover': { bgcolor: isOpen ? 'tint.accent' : 'surface.hover' },
        }}
      >
        <Box
          component="time"
          dateTime={entry.Timestamp}
          sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}
        >
          {formatTime(entry.Timestamp, zone)}
        </Box>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}>
          <Face who={entry.Who} />
          <Box component="span" sx={{ fontWeight: 550, overflow: 'hidden', textOverflow: 'ellipsis' }}>
            {entry.Who.Name}
          </Box>
        </Box>
        <Box
          sx={{ gridColumn: { xs: '2 / 3', md: 'auto' }, display: 'flex', gap: 1.25, alignItems: 'baseline' }}
        >
          <Box
            component={iconOf(entry.Kind)}
            size={15}
            aria-hidden
            sx={{
              flex: 'none',
              alignSelf: 'center',
              color: 'ink.three',
              display: { xs: 'none', md: 'block' },
            }}
          />
          <Box component="span" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            {whatWords(entry)} <strong>{objectName(entry)}</strong>
          </Box>
        </Box>
        <Box sx={{ display: { xs: 'none', md: 'block' }, color: 'text.secondary', minWidth: 0 }}>
          {entry.Agent || entry.Address}
        </Box>
        <Box
          component={Chevron}
          size={16}
          aria-hidden
          sx={{ color: 'ink.three', gridColumn: { xs: '3', md: 'auto' }, gridRow: { xs: '1', md: 'auto' } }}
        />
      </ButtonBase>
      {isOpen && <Details id={id} entry={entry} zone={zone} />}
    </Box>
  );
}

/** "31 entries" */
function countWords(count: number | undefined): string {
  if (count === undefined) return '';
  return count < mostCounted ? countOf(count, 'entry', 'entries') : `${formatCount(count)} or more entries`;
}

/** "Today, November 17" */
function dayWords(at: string, now: number, zone: string): string {
  const day = formatDay(at, now, zone);
  const date = formatDate(at, now, zone);
  return day.endsWith(date) ? day : `${day}, ${date}`;
}

/** "Changed a user", and with the name behind it "Changed user". */
function whatWords(entry: Entry): string {
  if (!entry.Object || entry.Object.Name === '') return entry.What;
  // The name is that of the person who has it.
  if (entry.Kind.startsWith('secondFactor.')) return `${entry.What} of`;
  // Only English has such an article there.
  return locale.startsWith('en') ? entry.What.replace(/ an? /, ' ') : entry.What;
}

/** Icons by the part of the kind behind its dot, which says what happened. */
const icons: Record<string, LucideIcon> = {
  ...{ created: Plus, added: Plus, invited: Plus, joined: Plus, verified: Check, agreed: Check },
  ...{ updated: Pencil, changed: Pencil, planChanged: Pencil, merged: Pencil, classified: Pencil },
  ...{ deleted: Trash2, removed: Trash2, left: Trash2, withdrawn: Trash2, released: Trash2 },
  ...{
    sent: Send,
    tested: Send,
    sampled: Send,
    submitted: Send,
    resent: Send,
    started: LogIn,
    ended: LogOut,
  },
  ...{
    completed: CheckCheck,
    imported: CheckCheck,
    paid: CheckCheck,
    importStarted: Upload,
    uploaded: Upload,
  },
  ...{ exported: Download, canceled: Ban, paused: Pause, resumed: Play, failed: TriangleAlert },
  ...{ undone: Undo2, undoStarted: Undo2, restored: Undo2 },
};

function iconOf(kind: string): LucideIcon {
  const [area, what = ''] = kind.split('.');
  // A recording or a drip campaign that starts is no sign-in.
  if (what === 'started' && area !== 'session') return Play;
  return icons[what] ?? Pencil;
}

function objectName({ Object: about, Count }: Entry): string {
  if (about && about.Name !== '') return about.Name;
  return Count > 1 ? `(${formatCount(Count)})` : '';
}

function Face({ who }: { who: Entry['Who'] }) {
  if (who.Kind === 'user') return <Avatar name={who.Name} size={26} />;
  if (who.Kind === 'system') return <Mark size={26} />;
  return (
    <Box
      component={who.Kind === 'key' ? KeyRound : Terminal}
      size={18}
      aria-hidden
      sx={{ mx: '4px', flex: 'none' }}
    />
  );
}

/** A moment as the reader's clock has it; everything else as it is. */
function valueWords(value: string, zone: string): string {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? formatAbsolute(value, zone) : value;
}

function Details({ id, entry, zone }: { id: string; entry: Entry; zone: string }) {
  const { Changes } = entry;
  const copy = async () => {
    const link = `${globalThis.location.origin}/settings/audit-log?entry=${entry.EntryID}`;
    // Over plain HTTP browsers have no clipboard.
    try {
      await navigator.clipboard.writeText(link);
      showSnackbar('Link copied.');
    } catch {
      showSnackbar('The link couldn’t be copied.');
    }
  };
  return (
    <Box id={id} sx={{ px: 2.5, pl: { md: '120px' }, py: 1.5, display: 'grid', gap: 1.5 }}>
      {Changes.length > 0 && (
        <Box
          component="table"
          sx={{ width: '100%', borderCollapse: 'collapse', '& td, & th': { py: 0.75, pr: 2 } }}
        >
          <thead>
            <Box component="tr" sx={{ typography: 'caption', color: 'text.secondary', textAlign: 'left' }}>
              <th>Field</th>
              <th>Before</th>
              <th>After</th>
            </Box>
          </thead>
          <tbody>
            {Changes.map(({ Field, Before, After }) => (
              <Box
                component="tr"
                key={Field}
                sx={{
                  borderTop: '1px solid',
                  borderColor: 'line.hair',
                  verticalAlign: 'top',
                  overflowWrap: 'anywhere',
                }}
              >
                <Box component="td" sx={{ width: '28%' }}>
                  {Field}
                </Box>
                <Box component="td" sx={{ width: '36%', color: 'text.secondary' }}>
                  {Before === null ? '' : <s>{valueWords(Before, zone)}</s>}
                </Box>
                <Box component="td">
                  {Before !== null && (
                    <Box component={ArrowRight} size={14} aria-hidden sx={{ mr: 1, color: 'ink.three' }} />
                  )}
                  <Box
                    component="span"
                    sx={{
                      px: '6px',
                      py: '1px',
                      borderRadius: '6px',
                      bgcolor: 'tint.accent',
                      color: 'tint.accentInk',
                      fontWeight: 550,
                    }}
                  >
                    {valueWords(After, zone)}
                  </Box>
                </Box>
              </Box>
            ))}
          </tbody>
        </Box>
      )}
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          gap: 2,
          typography: 'body2',
          color: 'text.secondary',
        }}
      >
        <span>{formatAbsolute(entry.Timestamp, zone)}</span>
        {entry.Address !== '' && <span>From {entry.Address}</span>}
        {entry.Agent !== '' && (
          <Box component="span" sx={{ display: { md: 'none' } }}>
            {entry.Agent}
          </Box>
        )}
        <span>Entry {formatCount(entry.Number)}</span>
        <Button
          size="small"
          variant="text"
          startIcon={<Link2 aria-hidden size={16} />}
          onClick={() => void copy()}
          sx={{ ml: 'auto' }}
        >
          Copy link
        </Button>
      </Box>
    </Box>
  );
}
