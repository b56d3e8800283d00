import { Refusal } from '../contract/errors.ts';

/** The end of a page: the time of its last row, to the microsecond, and its id. */
export interface Cursor {
  at: string;
  id: number;
}

export function writeCursor({ at, id }: Cursor): string {
  return Buffer.from(`${at}|${id}`).toString('base64url');
}

export function readCursor(text: string): Cursor {
  const [at = '', id = ''] = Buffer.from(text, 'base64url').toString().split('|');
  const isMoment =
    /^[1-9]\d{3}-\d\d-\d\dT[\d:.]+([+-]\d\d:\d\d|Z)$/.test(at) && !Number.isNaN(Date.parse(at));
  if (!isMoment || !/^\d{1,15}$/.test(id)) {
    throw new Refusal('invalid', 'next is not a place in this list');
  }
  return { at, id: Number(id) };
}
