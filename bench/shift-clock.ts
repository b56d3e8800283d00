/** Loaded before the server (`--import`) by bench/money.ts: has it live at another time. */
import { shiftClock } from '../server/clock.ts';

shiftClock(Number(process.env.BENCH_CLOCK_SHIFT ?? 0));
