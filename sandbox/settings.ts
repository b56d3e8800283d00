import type { Settings } from './carrier.ts';
import { BadRequest } from './http.ts';

function readWhole(name: string, value: unknown, min: number, max: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw new BadRequest(`${name} must be a whole number from ${min} to ${max}.`);
  }
  return value;
}

function readRange(name: string, value: unknown): [number, number] {
  if (!Array.isArray(value) || value.length !== 2) throw new BadRequest(`${name} must be [min, max].`);
  const min = readWhole(name, value[0], 0, 3_600_000);
  const max = readWhole(name, value[1], 0, 3_600_000);
  if (min > max) throw new BadRequest(`${name} must have its smaller number first.`);
  return [min, max];
}

/** The settings with the named ones changed; throws BadRequest that says which name is wrong. */
export function changeSettings(current: Readonly<Settings>, change: Record<string, unknown>): Settings {
  const next: Settings = { ...current };
  for (const [name, value] of Object.entries(change)) {
    if (name === 'DeliveryDelayMs' || name === 'AutoAnswerDelayMs') next[name] = readRange(name, value);
    else if (name === 'ReceiptsPerRequest') next[name] = readWhole(name, value, 1, 2000);
    else if (name === 'KeepMessages') next[name] = readWhole(name, value, 1, 10_000);
    else if (name === 'CallSpeed') next[name] = readWhole(name, value, 1, 1000);
    else if (name === 'CallStartsPerSecond') next[name] = readWhole(name, value, 1, 1000);
    else if (name === 'MostCallsAtOnce') next[name] = readWhole(name, value, 1, 100_000);
    else if (name === 'AutoAnswer' || name === 'CallCrowd') {
      if (typeof value !== 'boolean') throw new BadRequest(`${name} must be true or false.`);
      next[name] = value;
    } else throw new BadRequest(`There is no setting "${name}".`);
  }
  return next;
}
