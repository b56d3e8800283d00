import Box from '@mui/material/Box';
import MuiCard from '@mui/material/Card';
import type { Theme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { type ReactNode, useId } from 'react';
import type { Preflight } from '../../../../contract/drafts.ts';
import { hourMs } from '../../../../contract/time/wall-clock.ts';
import { useTimeZone } from '../../../queries/current-user.ts';
import { clockWords } from '../../../ui/clock-words.ts';
import { countOf, formatTime, zoneName } from '../../../ui/format.ts';
import { locale } from '../../../ui/locale.ts';
import { useNow } from '../../../ui/now.ts';
import { type Axis, axisOf, placeOf, quietStretches, type Stretch } from './preflight-axis.ts';
import { placeWords, planWords } from './preflight-words.ts';

type PlanRow = Preflight['Plan'][number];

/** As many places as people will look through; the rest are summed up in a line. */
const SHOWN = 8;
/** A block that ends further to the right than this has its label before it. */
const WORDS_BEFORE = 0.68;

const hatched = (theme: Theme) => ({
  border: `1px solid ${theme.vars.palette.line.strong}`,
  backgroundImage: `repeating-linear-gradient(135deg, ${theme.vars.palette.line.strong} 0 1px, transparent 1px 6px)`,
});

interface PreflightPlanProps {
  rows: readonly PlanRow[];
  quiet: Preflight['QuietHours'];
  title?: string;
  /** The word for what happens in the blocks. */
  doing?: string;
}

/**
 * Times when phones ring in each time zone. Both the sender's window and the recipients' own hours have to allow it.
 */
export function CallPlan({
  preflight,
  calls,
}: {
  preflight: Preflight;
  calls: NonNullable<Preflight['Calls']>;
}) {
  return (
    <PreflightPlan
      rows={calls.Plan}
      quiet={preflight.QuietHours}
      title="When phones ring, in recipients’ local time"
      doing="Calling"
    />
  );
}

/** Times when each time zone gets it, on the sender's hours. */
export function PreflightPlan({
  rows: Plan,
  quiet: QuietHours,
  title = 'When, in recipients’ local time',
  doing = 'Sending',
}: PreflightPlanProps) {
  const id = useId();
  const zone = useTimeZone();
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'));
  const rows = Plan.slice(0, SHOWN);
  const others = Plan.slice(SHOWN);
  const axis = axisOf(Plan, zone);
  if (!axis) return null;
  return (
    <MuiCard component="section" aria-labelledby={id} sx={{ px: 2.5, pt: 2, pb: 1.5 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '4px 16px', mb: 1 }}>
        <Typography variant="h2" id={id} sx={{ flex: 1, whiteSpace: { sm: 'nowrap' } }}>
          {title}
        </Typography>
        {!isPhone && <Legend quiet={QuietHours} doing={doing} />}
      </Box>
      {isPhone ? (
        <PlanSentences rows={rows} />
      ) : (
        <Box sx={{ position: 'relative' }}>
          <Hours axis={axis} zone={zone} />
          <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, pt: '24px', position: 'relative' }}>
            {rows.map((row) => (
              <Row
                key={row.Label}
                row={row}
                axis={axis}
                quiet={quietStretches(row.Zones, QuietHours, axis)}
              />
            ))}
          </Box>
        </Box>
      )}
      {others.length > 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary', pt: 1 }}>
          And{' '}
          {countOf(
            others.reduce((sum, { Count }) => sum + Count, 0),
            'person',
            'people',
          )}{' '}
          in {countOf(others.length, 'more time zone', 'more time zones')}.
        </Typography>
      )}
    </MuiCard>
  );
}

function Legend({ quiet, doing }: { quiet: Preflight['QuietHours']; doing: string }) {
  const mark = { width: 14, height: 10, borderRadius: '2px', flex: 'none' } as const;
  return (
    <>
      <LegendItem mark={<Box sx={{ ...mark, bgcolor: 'chart.one' }} />}>{doing}</LegendItem>
      {quiet.IsOn && (
        <LegendItem mark={<Box sx={[mark, hatched]} />}>
          Quiet hours, until {clockWords(quiet.Start)} local
        </LegendItem>
      )}
    </>
  );
}

function LegendItem({ mark, children }: { mark: ReactNode; children: ReactNode }) {
  return (
    <Typography
      variant="body2"
      component="span"
      sx={{ display: 'inline-flex', alignItems: 'center', gap: '6px', color: 'text.secondary' }}
    >
      {mark}
      <span>{children}</span>
    </Typography>
  );
}

/** Beside the names of the places. */
const LABELS = 216;

/** The hours, with a line down from each. */
function Hours({ axis, zone }: { axis: Axis; zone: string }) {
  const last = axis.ticks.length - 1;
  return (
    <Box aria-hidden sx={{ position: 'absolute', inset: 0, left: LABELS, pointerEvents: 'none' }}>
      {axis.ticks.map((tick, index) => (
        <Box
          key={tick}
          sx={{
            position: 'absolute',
            top: 0,
            bottom: 0,
            left: `${100 * placeOf(tick, axis)}%`,
            ...(index === 0 || index === last
              ? {}
              : {
                  '&::after': {
                    content: '""',
                    position: 'absolute',
                    top: 24,
                    bottom: 0,
                    left: 0,
                    borderLeft: '1px solid',
                    borderColor: 'line.hair',
                  },
                }),
          }}
        >
          <Typography
            variant="caption"
            sx={{
              position: 'absolute',
              whiteSpace: 'nowrap',
              color: 'ink.three',
              transform: index === 0 ? 'none' : index === last ? 'translateX(-100%)' : 'translateX(-50%)',
              fontVariantNumeric: 'tabular-nums',
            }}
          >
            {tickWords(tick, axis, zone)}
            {index === 0 && ` ${placeWords(zoneName(zone))}`}
          </Typography>
        </Box>
      ))}
    </Box>
  );
}

/** "8 AM", "noon", "8:15 AM", "Mar 12". */
function tickWords(tick: number, { stepMs }: Axis, zone: string): string {
  if (stepMs >= 24 * hourMs)
    return new Intl.DateTimeFormat(locale, { timeZone: zone, month: 'short', day: 'numeric' }).format(tick);
  const time = formatTime(tick, zone);
  if (time === '12:00 PM') return 'noon';
  if (time === '12:00 AM') return 'midnight';
  return time.replace(':00', '');
}

interface RowProps {
  row: PlanRow;
  axis: Axis;
  quiet: Stretch[];
}

function Row({ row, axis, quiet }: RowProps) {
  const zone = useTimeZone();
  const now = useNow();
  const from = placeOf(Date.parse(row.Opens), axis);
  const to = placeOf(Date.parse(row.Done), axis);
  const { time, rest } = planWords(row, { now, zone });
  const isBefore = to > WORDS_BEFORE && from > 1 - to;
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'center',
        height: 38,
        borderTop: '1px solid',
        borderColor: 'line.hair',
      }}
    >
      <Box sx={{ width: LABELS, flex: 'none', display: 'flex', gap: 1, pr: 1.5, alignItems: 'baseline' }}>
        <Box
          component="span"
          title={placeWords(row.Label)}
          sx={{
            flex: 1,
            minWidth: 0,
            fontWeight: 550,
            overflow: 'hidden',
            textOverflow: 'ellipsis',
            whiteSpace: 'nowrap',
          }}
        >
          {placeWords(row.Label)}
        </Box>
        <Typography
          variant="body2"
          component="span"
          sx={{ color: 'text.secondary', whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}
        >
          {countOf(row.Count, 'person', 'people')}
        </Typography>
      </Box>
      <Box sx={{ position: 'relative', flex: 1, height: 20 }}>
        {quiet.map(({ fromMs, toMs }) => (
          <Box
            key={fromMs}
            aria-hidden
            sx={[
              {
                position: 'absolute',
                top: 1,
                bottom: 1,
                left: `${100 * placeOf(fromMs, axis)}%`,
                width: `${100 * (placeOf(toMs, axis) - placeOf(fromMs, axis))}%`,
                borderRadius: '4px',
                backgroundColor: (theme) => theme.vars.palette.surface.sunken,
              },
              hatched,
            ]}
          />
        ))}
        <Box
          aria-hidden
          sx={{
            position: 'absolute',
            inset: '0 auto 0 auto',
            left: `${100 * from}%`,
            width: `max(8px, ${100 * (to - from)}%)`,
            borderRadius: '4px',
            bgcolor: 'chart.one',
          }}
        />
        <Typography
          variant="body2"
          component="span"
          sx={{
            position: 'absolute',
            top: 1,
            whiteSpace: 'nowrap',
            px: '4px',
            borderRadius: '4px',
            bgcolor: 'background.paper',
            color: 'text.secondary',
            fontVariantNumeric: 'tabular-nums',
            ...(isBefore
              ? { right: `calc(${100 * (1 - from)}% + 6px)` }
              : { left: `calc(max(${100 * to}%, ${100 * from}% + 8px) + 4px)` }),
          }}
        >
          <Box component="strong" sx={{ fontWeight: 600, color: 'text.primary' }}>
            {time}
          </Box>
          {rest}
        </Typography>
      </Box>
    </Box>
  );
}

/** The same in words, where there is no room for hours. */
function PlanSentences({ rows }: { rows: readonly PlanRow[] }) {
  const zone = useTimeZone();
  const now = useNow();
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {rows.map((row) => {
        const { time, rest } = planWords(row, { now, zone });
        return (
          <Box
            component="li"
            key={row.Label}
            sx={{ py: 1, '& + &': { borderTop: '1px solid', borderColor: 'line.hair' } }}
          >
            <Box component="strong" sx={{ fontWeight: 550 }}>
              {placeWords(row.Label)}
            </Box>
            , {countOf(row.Count, 'person', 'people')}
            <Typography variant="body2" component="div" sx={{ color: 'text.secondary' }}>
              {time}
              {rest}
            </Typography>
          </Box>
        );
      })}
    </Box>
  );
}
