import { isStorableText, toStorableText } from '../../contract/text/storable-text.ts';
import { now } from '../clock.ts';
import { type Hook, HookRefused, type InboundText, type Receipt } from './carrier.ts';
import { readCarrierPhone } from './carrier-phone.ts';
import { twilioTextStatus } from './status-codes.ts';
import { isTwilioSignature } from './twilio-signature.ts';

function readForm(hook: Hook, authToken: string): URLSearchParams {
  const header = hook.headers['x-twilio-signature'];
  const signature = (Array.isArray(header) ? header[0] : header) ?? '';
  const form = new URLSearchParams(hook.body.toString('utf8'));
  if (!isTwilioSignature(signature, authToken, hook.url, form)) {
    throw new HookRefused('The webhook has no right signature.');
  }
  return form;
}

/** One receipt per webhook; the query of our URL, which is signed, names its text. */
export function readTwilioReceipts(hook: Hook, authToken: string): Receipt[] {
  const form = readForm(hook, authToken);
  const key = hook.query.key;
  if (key === undefined || key === '' || !isStorableText(key)) return [];
  const code = form.get('ErrorCode');
  const status = twilioTextStatus(form.get('MessageStatus') ?? '', Number(code ?? 0));
  if (status === undefined) return [];
  const isGood = status === 'sent' || status === 'delivered' || status === 'read';
  return [
    {
      key,
      status,
      carrierMessageId: readId(form.get('MessageSid')) ?? null,
      error: isGood || code === null ? null : toStorableText(code.slice(0, 200)),
      occurredAt: now(),
    },
  ];
}

/** Twilio allows ten per text; more than this many are not trusted. */
const mostMedia = 20;

export function readTwilioInbound(hook: Hook, authToken: string): InboundText[] {
  const form = readForm(hook, authToken);
  const id = readId(form.get('MessageSid'));
  const from = readCarrierPhone((form.get('From') ?? '').replace(/^rcs:/, ''));
  // An answer to RCS goes to the agent: the number's own row has its agent.
  const isRcs = form.get('To')?.startsWith('rcs:') === true;
  const to = isRcs ? readId(form.get('MessagingServiceSid')) : readCarrierPhone(form.get('To') ?? '');
  if (id === undefined || from === undefined || to === undefined) return [];
  const media: InboundText['media'] = [];
  const count = Math.min(Number(form.get('NumMedia') ?? 0), mostMedia);
  for (let index = 0; index < count; index++) {
    const url = form.get(`MediaUrl${index}`);
    const contentType = form.get(`MediaContentType${index}`) || 'application/octet-stream';
    if (url) media.push({ contentType: toStorableText(contentType), url: toStorableText(url) });
  }
  const body = toStorableText(form.get('Body') ?? '');
  return [{ inboundKey: `twilio:${id}`, from, to, body, media, occurredAt: now() }];
}

/** Two letters and 32 digits at Twilio; compatible carriers have other formats. */
export function readId(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w:.-]{1,100}$/.test(value) ? value : undefined;
}
