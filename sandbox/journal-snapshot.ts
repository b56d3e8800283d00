import type { Carrier } from './carrier.ts';
import type { Envelope, Media, Message } from './message.ts';

/** A message as it lies in a snapshot. */
export type StoredMessage = Omit<Message, 'envelope'> & { envelope?: Envelope; media: readonly Media[] };

/** Of the log only the latest are written; of older ones the key table knows how they ended. */
const storedLog = 20_000;
/** About as much text is handed over at once. */
const pieceLength = 1024 * 1024;

export function writeSnapshot(carrier: Carrier, write: (lines: string) => void): void {
  let piece = '';
  const add = (record: unknown) => {
    piece += `${JSON.stringify(record)}\n`;
    if (piece.length < pieceLength) return;
    write(piece);
    piece = '';
  };
  const { salt, seq, stats } = carrier;
  add({ t: 'head', version: 1, salt, seq, stats });
  for (const keys of carrier.keys.dump()) add({ t: 'keys', b: keys.toString('base64') });
  for (const texts of carrier.texts.dump()) add({ t: 'texts', b: texts.toString('base64') });
  for (const [number, served] of carrier.numbers) add({ t: 'number', number, ...served });
  for (const callerId of carrier.callerIds.values()) add({ t: 'callerId', callerId });
  for (const scenario of carrier.scenarios.values()) add({ t: 'scenario', scenario });
  for (const call of carrier.exchange.all()) add({ t: 'call', call, counted: true });
  const written = new Set<number>();
  for (const phone of carrier.phones.all()) {
    for (const message of phone.messages) written.add(message.seq);
    const { number, name, state, open, hidden, unread, lastAt, lastAutomaticAnswerAt, messages } = phone;
    add({ t: 'phone', number, name, state, open, hidden, unread, lastAt, lastAutomaticAnswerAt, messages });
  }
  for (const message of carrier.unfinished.values()) {
    if (written.has(message.seq)) continue;
    written.add(message.seq);
    add({ t: 'message', message });
  }
  const oldest = carrier.seq - storedLog;
  for (const message of carrier.log.values()) {
    if (message.seq > oldest && !written.has(message.seq)) add({ t: 'message', message });
  }
  write(piece);
}
