import type { Pdu } from 'smpp';
import type { TextStatusCode } from '../../contract/delivery/text-status.ts';
import { toStorableText } from '../../contract/text/storable-text.ts';
import { now } from '../clock.ts';
import type { InboundPart, NamedReceipt } from './carrier.ts';
import { readCarrierPhone } from './carrier-phone.ts';
import { decodeText } from './smpp-alphabet.ts';
import { gsmErrorStatus } from './status-codes.ts';

/** The format of the id in a receipt, compared with that in the SMSC's response. */
export type IdForm = 'same' | 'hex' | 'decimal';

/** The kind of a deliver_sm. `text`: a whole one, without an id: SMPP gives inbound texts none. */
export type Delivered =
  | { kind: 'receipt'; receipt: NamedReceipt }
  | { kind: 'text'; text: Omit<InboundPart, 'reference' | 'part' | 'parts'> }
  | { kind: 'part'; part: InboundPart }
  | { kind: 'nothing' };

export interface ReadSettings {
  /** The SMSC's own error codes, with their meaning for a text. */
  errorCodes: ReadonlyMap<string, TextStatusCode>;
}

const messageType = { mask: 0x3c, receipt: 0x04, intermediate: 0x20, text: 0x00 } as const;
const hasHeader = 0x40;

export function readDelivered(pdu: Pdu, settings: ReadSettings): Delivered {
  const esmClass = pdu.esm_class ?? 0;
  const type = esmClass & messageType.mask;
  const whole = pdu.short_message?.length ? pdu.short_message : (pdu.message_payload ?? Buffer.alloc(0));
  const saysReceipt = type === messageType.receipt || type === messageType.intermediate;
  if (saysReceipt || pdu.receipted_message_id !== undefined) {
    const receipt = readReceipt(pdu, whole.toString('latin1'), settings);
    if (receipt !== undefined) return { kind: 'receipt', receipt };
    // With an id but no state, in a message declared as a text, it is an inbound text.
    if (saysReceipt) return { kind: 'nothing' };
  }
  // Acknowledgments from the telephone itself say nothing about a text.
  if (type !== messageType.text) return { kind: 'nothing' };
  const from = readAddress(pdu.source_addr, pdu.source_addr_ton);
  const to = readAddress(pdu.destination_addr, pdu.dest_addr_ton);
  if (from === undefined || to === undefined) return { kind: 'nothing' };
  const headerLength = (esmClass & hasHeader) !== 0 ? (whole[0] ?? 0) + 1 : 0;
  const body = toStorableText(decodeText(whole.subarray(headerLength), pdu.data_coding ?? 0));
  const text = { from, to, body, occurredAt: now() };
  const place = readHeader(whole.subarray(1, headerLength)) ?? readSegments(pdu);
  if (place === undefined) return { kind: 'text', text };
  return { kind: 'part', part: { ...text, ...place } };
}

type Place = Pick<InboundPart, 'reference' | 'part' | 'parts'>;

/** The header of a part (3GPP TS 23.040): element 0 has a reference of 8 bits, element 8 of 16. */
function readHeader(header: Buffer): Place | undefined {
  for (let at = 0; at + 1 < header.length; at += 2 + (header[at + 1] ?? 0)) {
    const element = header[at];
    const data = header.subarray(at + 2, at + 2 + (header[at + 1] ?? 0));
    if (element === 0 && data.length === 3) return toPlace(data[0], data[1], data[2]);
    if (element === 8 && data.length === 4) return toPlace(data.readUInt16BE(0), data[2], data[3]);
  }
  return undefined;
}

function readSegments(pdu: Pdu): Place | undefined {
  return toPlace(pdu.sar_msg_ref_num, pdu.sar_total_segments, pdu.sar_segment_seqnum);
}

function toPlace(
  reference: number | undefined,
  parts: number | undefined,
  part: number | undefined,
): Place | undefined {
  if (reference === undefined || parts === undefined || part === undefined) return undefined;
  return parts > 1 && part >= 1 && part <= parts ? { reference, parts, part } : undefined;
}

/** Ten digits without a country are North American, because Muster is based there. */
function readAddress(address: string | undefined, typeOfNumber: number | undefined): string | undefined {
  const digits = readCarrierPhone(address ?? '');
  return digits?.length === 10 && typeOfNumber !== 1 ? `1${digits}` : digits;
}

const stateWords: ReadonlyMap<string, number> = new Map([
  ['ENROUTE', 1],
  ['DELIVRD', 2],
  ['EXPIRED', 3],
  ['DELETED', 4],
  ['UNDELIV', 5],
  ['ACCEPTD', 6],
  ['UNKNOWN', 7],
  ['REJECTD', 8],
]);

const states: ReadonlyMap<number, TextStatusCode> = new Map<number, TextStatusCode>([
  [1, 'sent'],
  [2, 'delivered'],
  [3, 'attempts_exceeded'],
  [4, 'not_delivered'],
  [5, 'not_delivered'],
  [6, 'sent'],
  [7, 'unknown'],
  [8, 'carrier_rejected'],
]);

/**
 * Optional fields before the text, whose format depends on the SMSC: "id:IIII sub:001 dlvrd:001 submit date:…
 * done date:… stat:DELIVRD err:000 text:…".
 */
function readReceipt(pdu: Pdu, text: string, { errorCodes }: ReadSettings): NamedReceipt | undefined {
  const field = (name: string) => new RegExp(`\\b${name}:\\s*([^\\s]{1,65})`, 'i').exec(text)?.[1];
  const carrierMessageId = pdu.receipted_message_id || field('id');
  const word = field('stat')?.slice(0, 7).toUpperCase();
  const state = pdu.message_state ?? stateWords.get(word ?? '');
  const status = states.get(state ?? 0);
  if (carrierMessageId === undefined || status === undefined) return undefined;
  const isGood = status === 'sent' || status === 'delivered';
  const own = field('err') ?? '';
  const code = own.replace(/^0+(?=.)/, '');
  const network = pdu.network_error_code;
  // Type 3 is GSM, whose codes are standard; the meaning of `err` is up to the SMSC.
  const byNetwork =
    network?.length === 3 && network[0] === 3 ? gsmErrorStatus(network.readUInt16BE(1)) : undefined;
  return {
    carrierMessageId: toStorableText(carrierMessageId),
    status: isGood ? status : (errorCodes.get(code) ?? byNetwork ?? status),
    error: isGood ? null : toStorableText(`${word ?? `state ${state}`} ${own}`.trim().slice(0, 200)),
    occurredAt: now(),
  };
}

/**
 * The id of a response in the format of receipts: some SMSCs write one as a hexadecimal number and the other
 * as a decimal one.
 */
export function toReceiptForm(id: string, form: IdForm): string {
  const isNumber = form === 'hex' ? /^[0-9a-f]{1,40}$/i : /^\d{1,40}$/;
  if (form === 'same' || !isNumber.test(id)) return id;
  return form === 'hex' ? BigInt(`0x${id}`).toString(10) : BigInt(id).toString(16);
}

/** The id of a receipt, normalized: such SMSCs sometimes write leading zeros or capitals. */
export function readReceiptId(id: string, form: IdForm): string {
  return form === 'same' ? id : id.replace(/^0+(?=.)/, '').toLowerCase();
}
