import { type Call, isOver } from './call.ts';
import type { Exchange } from './exchange.ts';
import { BadRequest } from './http.ts';

/** Carries out an action of the person who holds the telephone. Throws BadRequest when it can't be done now. */
export function useByHand(exchange: Exchange, call: Call, action: string, keys: string): void {
  const line = exchange.lines.get(call.sid);
  if (!line || isOver(call)) throw new BadRequest('The call is over.', 409);
  const isRinging = call.status === 'ringing' && call.direction !== 'inbound';
  if (action === 'Press') {
    if (call.status !== 'in-progress' || call.pickedUpBy !== 'Person') {
      throw new BadRequest('Keys can be pressed only in a call.', 409);
    }
    if (!/^[0-9*#]{1,50}$/.test(keys)) throw new BadRequest('Keys must be digits, * or #.');
    call.byHand = true;
    for (const key of keys) line.press(key);
    return;
  }
  if (action === 'HangUp') {
    if (isRinging) throw new BadRequest('The telephone is still ringing: answer it, or be busy.', 409);
    call.byHand = true;
    exchange.note(call, 'Hung up');
    exchange.end(line, 'completed');
    return;
  }
  if (!isRinging) throw new BadRequest('The telephone is not ringing.', 409);
  if (action === 'Answer') {
    call.byHand = true;
    exchange.pickUp(line, 'Person');
  } else if (action === 'Voicemail') exchange.pickUp(line, 'Machine');
  else if (action === 'Busy') {
    call.byHand = true;
    exchange.end(line, 'busy', { sip: 486, result: 'Busy' });
  } else if (action === 'LetItRing') {
    // Nobody and nothing picks up: it rings until the caller gives up.
    call.byHand = true;
    line.stopRinging?.();
    line.rings = undefined;
    exchange.changed(call);
  } else throw new BadRequest('Do must be Answer, Voicemail, Busy, HangUp, Press or LetItRing.');
}
