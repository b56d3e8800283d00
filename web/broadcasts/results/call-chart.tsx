import Box from '@mui/material/Box';
import { styled, useTheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useLayoutEffect, useRef, useState } from 'react';
import { getBroadcastProgress } from '../../../contract/addresses/broadcasts.gen.ts';
import type { WholeBroadcast } from '../../../contract/broadcasts.ts';
import { wallMsAt } from '../../../contract/time/wall-clock.ts';
import { labelOf } from '../../pieces/broadcasts/broadcast-words.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { countOf, formatTime } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { type CallBar, callBars, totalOfBar } from './call-bars.ts';
import { countTicks, tickWords, timeTicks } from './chart-scale.ts';

const HEIGHT = 146;
const edge = { top: 18, bottom: 22, left: 34, right: 4 } as const;
const kinds = ['LiveAnswer', 'Voicemail', 'BusyNoAnswer', 'Other'] as const;

const Text = styled('text')(({ theme }) => ({
  fontSize: 11.5,
  fill: theme.vars.palette.ink.three,
  fontVariantNumeric: 'tabular-nums',
}));

/**
 * Calls that ended, by the minute; expected calls are dashed. The figures beside it say the same in words.
 */
export function CallChart({ broadcast }: { broadcast: WholeBroadcast }) {
  const now = useNow();
  const { BroadcastID, WaitingCallTotal, EstimatedEnd } = broadcast;
  const { data } = useCallQuery(getBroadcastProgress, { params: { BroadcastID } });
  const isLive = labelOf(broadcast, now) === 'Broadcasting';
  const stepMs = (data?.Calls.StepSeconds ?? 60) * 1000;
  const bars = callBars({
    items: data?.Calls.Items ?? [],
    stepMs,
    now,
    left: WaitingCallTotal,
    end: isLive && EstimatedEnd !== null ? Date.parse(EstimatedEnd) : undefined,
  });
  return (
    <Box sx={{ mt: 2 }}>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        Calls finished, {stepMs === 60_000 ? 'each minute' : `every ${stepMs / 60_000} minutes`}
      </Typography>
      {bars.done.length === 0 ? (
        <Box sx={{ minHeight: 96, display: 'grid', placeItems: 'center' }}>
          {data && (
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {noCallsWords(broadcast, isLive)}
            </Typography>
          )}
        </Box>
      ) : (
        <Bars {...bars} stepMs={stepMs} now={isLive ? now : undefined} />
      )}
    </Box>
  );
}

/**
 * Reason why no call has ended: they are ringing, they are waiting for their hours, or nobody will be called any
 * more.
 */
function noCallsWords({ CallsUp, WaitingCallTotal }: WholeBroadcast, isLive: boolean): string {
  if (WaitingCallTotal === 0) return 'Nobody was called.';
  if (!isLive) return 'No calls have ended yet.';
  return CallsUp > 0 ? 'The first calls are ringing.' : 'The calls are waiting for their time.';
}

interface BarsProps extends ReturnType<typeof callBars> {
  stepMs: number;
  /** Undefined once it is over. */
  now: number | undefined;
}

function Bars({ done, expected, stepMs, now }: BarsProps) {
  const { palette } = useTheme().vars;
  const zone = useTimeZone();
  const [boxRef, width] = useWidth();
  const from = done[0]?.at ?? 0;
  // A few minutes would give a few very wide bars.
  const count = Math.max(12, done.length + expected.length);
  const to = from + count * stepMs;
  const most = Math.max(4, ...done.map(totalOfBar), ...expected.map((bar) => bar.count));
  const inner = width - edge.left - edge.right;
  const x = (at: number) => edge.left + ((at - from) / (to - from)) * inner;
  const y = (calls: number) => HEIGHT - edge.bottom - (calls / most) * (HEIGHT - edge.top - edge.bottom);
  const thick = Math.max(2, (inner / count) * 0.72);
  const colors = {
    LiveAnswer: palette.chart.one,
    Voicemail: palette.chart.two,
    BusyNoAnswer: palette.chart.warn,
    Other: palette.chart.fail,
  };
  const ended = done.reduce((sum, bar) => sum + totalOfBar(bar), 0);
  const sentence = `${countOf(ended, 'call', 'calls')} ended between ${formatTime(from, zone)} and ${formatTime((done.at(-1)?.at ?? from) + stepMs, zone)}.`;
  return (
    <Box ref={boxRef} sx={{ height: HEIGHT, minWidth: 0 }}>
      {width > 0 && (
        <svg width={width} height={HEIGHT} role="img" aria-label={sentence} style={{ display: 'block' }}>
          {countTicks(most, 3).map((calls) => (
            <g key={calls}>
              <line
                x1={edge.left}
                x2={width - edge.right}
                y1={y(calls)}
                y2={y(calls)}
                stroke={palette.chart.grid}
              />
              <Text x={edge.left - 8} y={y(calls) + 4} textAnchor="end">
                {calls}
              </Text>
            </g>
          ))}
          {timeTicks(from, to, Math.max(2, Math.floor(inner / 74)), (at) => wallMsAt(at, zone))
            // Labels that would extend beyond the edge are left out.
            .filter(({ at }) => x(at) + thick / 2 < width - 20)
            .map(({ at, stepMs: tickStep }) => (
              <Text key={at} x={x(at) + thick / 2} y={HEIGHT - 5} textAnchor="middle">
                {tickWords(at, tickStep, zone)}
              </Text>
            ))}
          {done.map((bar) => (
            <Bar key={bar.at} bar={bar} x={x(bar.at)} y={y} width={thick} colors={colors} />
          ))}
          {expected.map(({ at, count: calls }) => (
            <rect
              key={at}
              x={x(at) + 0.5}
              y={y(calls)}
              width={Math.max(1, thick - 1)}
              height={Math.max(0, y(0) - y(calls))}
              rx={2}
              fill="none"
              stroke={palette.line.strong}
              strokeDasharray="2 2"
            />
          ))}
          {now !== undefined && (
            <>
              <line x1={x(now)} x2={x(now)} y1={edge.top - 12} y2={y(0)} stroke={palette.ink.one} />
              <Text
                x={x(now) + (x(now) > width - 110 ? -7 : 7)}
                y={edge.top - 5}
                textAnchor={x(now) > width - 110 ? 'end' : 'start'}
                sx={{ fill: palette.ink.one }}
              >
                Now, {formatTime(now, zone)}
              </Text>
            </>
          )}
        </svg>
      )}
    </Box>
  );
}

interface BarProps {
  bar: CallBar;
  x: number;
  y: (calls: number) => number;
  width: number;
  colors: Record<(typeof kinds)[number], string>;
}

/** Stacked, with a hairline between them. */
function Bar({ bar, x, y, width, colors }: BarProps) {
  let below = 0;
  return (
    <>
      {kinds.map((kind) => {
        const from = below;
        below += bar[kind];
        if (bar[kind] === 0) return null;
        return (
          <rect
            key={kind}
            x={x}
            y={y(below)}
            width={width}
            height={Math.max(1, y(from) - y(below) - 1)}
            rx={2}
            fill={colors[kind]}
          />
        );
      })}
    </>
  );
}

function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}
