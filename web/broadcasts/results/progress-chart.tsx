import Box from '@mui/material/Box';
import { styled, useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { type PointerEvent, useLayoutEffect, useRef, useState } from 'react';
import { wallMsAt } from '../../../contract/time/wall-clock.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { countOf, formatCount, formatTime } from '../../ui/format.ts';
import { countTicks, tickWords, timeTicks } from './chart-scale.ts';

/** The progress at a moment: how many were handed over, and how many of these were delivered. */
export interface ChartPoint {
  at: number;
  sent: number;
  delivered: number;
}

interface ProgressChartProps {
  points: readonly ChartPoint[];
  total: number;
  /** Time when it will have ended; undefined once nothing goes out. */
  expectedEnd: number | undefined;
  /** The moment of the last point is now. */
  isLive: boolean;
}

const edge = { top: 14, bottom: 24, right: 4 } as const;
/** The width of a label's character, at most, on average. */
const letterWidth = 6.5;

const Text = styled('text')(({ theme }) => ({
  fontSize: 11.5,
  fill: theme.vars.palette.ink.three,
  fontVariantNumeric: 'tabular-nums',
}));

/**
 * Two lines over time, with the forecast dotted, and a line for now. The figures beside it say the same in
 * words.
 */
export function ProgressChart({ points, total, expectedEnd, isLive }: ProgressChartProps) {
  const { palette } = useTheme().vars;
  const zone = useTimeZone();
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'), { noSsr: true });
  const [boxRef, width] = useWidth();
  const [hovered, setHovered] = useState<ChartPoint>();
  const height = isPhone ? 150 : 186;
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return null;

  const left = 14 + 7 * formatCount(total).length;
  const from = first.at;
  const to = Math.max(last.at, isLive ? (expectedEnd ?? last.at) : last.at, from + 1_000);
  const x = (at: number) => left + ((at - from) / (to - from)) * (width - left - edge.right);
  const y = (count: number) =>
    height - edge.bottom - (count / Math.max(1, total)) * (height - edge.top - edge.bottom);
  const base = y(0);
  const lineOf = (countOfPoint: (point: ChartPoint) => number) =>
    points.map((point) => `${x(point.at).toFixed(1)},${y(countOfPoint(point)).toFixed(1)}`).join(' L');
  const sent = lineOf((point) => point.sent);
  const delivered = lineOf((point) => point.delivered);
  const areaUnder = (line: string) =>
    `M${line} L${x(last.at).toFixed(1)},${base} L${x(from).toFixed(1)},${base} Z`;
  const nowWords = `Now: ${formatCount(last.delivered)} delivered`;
  const isNowAtLeft = x(last.at) + 7 + nowWords.length * letterWidth < width;
  const sentence = `${formatCount(last.delivered)} of ${countOf(total, 'recipient', 'recipients')} delivered, ${formatCount(last.sent)} sent to the carrier, between ${formatTime(from, zone)} and ${formatTime(last.at, zone)}.`;

  const onMove = (event: PointerEvent<SVGSVGElement>) => {
    const at = from + ((event.nativeEvent.offsetX - left) / (width - left - edge.right)) * (to - from);
    setHovered(at > last.at + (to - from) / 40 ? undefined : nearest(points, at));
  };

  return (
    <Box ref={boxRef} sx={{ position: 'relative', height, minWidth: 0 }}>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={sentence}
          onPointerMove={onMove}
          onPointerLeave={() => setHovered(undefined)}
          style={{ display: 'block', overflow: 'visible' }}
        >
          {countTicks(total, isPhone ? 3 : 4).map((count) => (
            <g key={count}>
              <line
                x1={left}
                x2={width - edge.right}
                y1={y(count)}
                y2={y(count)}
                stroke={palette.chart.grid}
              />
              <Text x={left - 7} y={y(count) + 4} textAnchor="end">
                {formatCount(count)}
              </Text>
            </g>
          ))}
          {timeTicks(from, to, Math.max(2, Math.floor((width - left) / 74)), (at) => wallMsAt(at, zone)).map(
            ({ at, stepMs }) => (
              <Text
                key={at}
                x={Math.min(Math.max(x(at), left + 12), width - 26)}
                y={height - 6}
                textAnchor="middle"
              >
                {tickWords(at, stepMs, zone)}
              </Text>
            ),
          )}
          <line
            x1={left}
            x2={width - edge.right}
            y1={y(total)}
            y2={y(total)}
            stroke={palette.line.strong}
            strokeDasharray="4 4"
          />
          <Text x={left + 6} y={y(total) - 5}>
            {countOf(total, 'recipient', 'recipients')}
          </Text>
          <path d={areaUnder(sent)} fill={palette.chart.two} opacity={0.16} />
          <path d={areaUnder(delivered)} fill={palette.chart.one} opacity={0.2} />
          <path
            d={`M${sent}`}
            fill="none"
            stroke={palette.chart.two}
            strokeWidth={2}
            strokeLinejoin="round"
          />
          <path
            d={`M${delivered}`}
            fill="none"
            stroke={palette.chart.one}
            strokeWidth={2}
            strokeLinejoin="round"
          />
          {isLive && (
            <>
              {expectedEnd !== undefined && expectedEnd > last.at && (
                <line
                  x1={x(last.at)}
                  y1={y(last.delivered)}
                  x2={x(expectedEnd)}
                  y2={y(total)}
                  stroke={palette.chart.one}
                  strokeWidth={1.5}
                  strokeDasharray="2 5"
                  strokeLinecap="round"
                />
              )}
              <line x1={x(last.at)} x2={x(last.at)} y1={edge.top - 4} y2={base} stroke={palette.ink.one} />
              <Text
                x={x(last.at) + (isNowAtLeft ? 7 : -7)}
                y={base - 7}
                textAnchor={isNowAtLeft ? 'start' : 'end'}
                // On the left it would cover the curve.
                sx={{
                  fill: palette.ink.one,
                  stroke: palette.background.paper,
                  strokeWidth: 3,
                  paintOrder: 'stroke',
                }}
              >
                {nowWords}
              </Text>
            </>
          )}
          {hovered && (
            <>
              <line
                x1={x(hovered.at)}
                x2={x(hovered.at)}
                y1={edge.top - 4}
                y2={base}
                stroke={palette.line.strong}
              />
              <circle cx={x(hovered.at)} cy={y(hovered.sent)} r={3} fill={palette.chart.two} />
              <circle cx={x(hovered.at)} cy={y(hovered.delivered)} r={3.5} fill={palette.chart.one} />
            </>
          )}
        </svg>
      )}
      {hovered && <PointTip point={hovered} at={x(hovered.at)} width={width} />}
    </Box>
  );
}

function PointTip({ point, at, width }: { point: ChartPoint; at: number; width: number }) {
  const zone = useTimeZone();
  const isRight = at > width / 2;
  return (
    <Box
      aria-hidden
      sx={{
        position: 'absolute',
        top: 22,
        ...(isRight ? { right: width - at + 8 } : { left: at + 8 }),
        px: '10px',
        py: '6px',
        borderRadius: '7px',
        bgcolor: 'tip.back',
        color: 'tip.text',
        border: '1px solid',
        borderColor: 'tip.edge',
        typography: 'caption',
        fontVariantNumeric: 'tabular-nums',
        whiteSpace: 'nowrap',
        pointerEvents: 'none',
      }}
    >
      {formatTime(point.at, zone)}
      <br />
      {formatCount(point.delivered)} delivered
      <br />
      {formatCount(point.sent)} handed over
    </Box>
  );
}

function nearest(points: readonly ChartPoint[], at: number): ChartPoint | undefined {
  let best = points[0];
  for (const point of points) if (best && Math.abs(point.at - at) < Math.abs(best.at - at)) best = point;
  return best;
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
