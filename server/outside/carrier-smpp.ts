import { createHash, randomUUID } from 'node:crypto';
import type { Pdu } from 'smpp';
import { nowMs } from '../clock.ts';
import {
  type Carrier,
  type CarrierEar,
  type CarrierId,
  HookRefused,
  type InboundPart,
  type InboundText,
  type NamedReceipt,
} from './carrier.ts';
import { createSmppHand, type SmppHandSettings } from './smpp-hand.ts';
import { openSmppLine, type SmppLineSettings, temporary } from './smpp-line.ts';
import { type IdForm, type ReadSettings, readDelivered, readReceiptId, toReceiptForm } from './smpp-read.ts';

type SmppSettings = Omit<SmppLineSettings, 'bindAs'> &
  Omit<SmppHandSettings, 'atOnce'> &
  ReadSettings & {
    idForm: IdForm;
    /** Two: one connection for texts, and one for receipts and inbound texts. */
    connections?: 'one' | 'two';
  };

/**
 * AggregatorID 6: texts, receipts and inbound texts share one connection, or use two. A repeat is a second
 * text there, and it can't carry pictures. Its receipts name texts by its own ids, so those are saved before
 * a text counts as handed over.
 */
export function smppCarrier(settings: SmppSettings): Carrier {
  const isTwo = settings.connections === 'two';
  const line = openSmppLine({ ...settings, bindAs: isTwo ? 'transmitter' : 'transceiver' });
  const receiver = isTwo ? openSmppLine({ ...settings, bindAs: 'receiver' }) : undefined;
  let ear: CarrierEar | undefined;
  const ids = createIdKeeping(() => ear);
  const hand = createSmppHand(line, { ...settings, atOnce: settings.window }, (id) =>
    ids.add({ ...id, carrierMessageId: toReceiptForm(id.carrierMessageId, settings.idForm) }),
  );
  const warnOfLoss = (reason: string) =>
    ear?.warn({ reason }, 'the connection to the SMPP carrier is lost; it is opened again');
  const hearing = createHearing(() => ear, warnOfLoss, settings);
  const noHooks = () => {
    throw new HookRefused('SMPP has no webhooks.');
  };
  return {
    aggregatorId: 6,
    name: 'SMPP',
    slice: 1000,
    refusesRepeats: false,
    async hand(texts) {
      if (ear === undefined) throw new Error('nobody listens to the SMPP carrier');
      const handed = await hand(texts);
      await ids.settle();
      return handed;
    },
    async find(texts) {
      if (ear === undefined) throw new Error('nobody listens to the SMPP carrier');
      await ids.flush();
      const found = await ear.findIds(texts.map(({ key }) => key));
      // An SMSC that sends no receipts may return no ids either.
      return new Map([...found].map(([key, id]) => [key, { carrierMessageId: id || null }]));
    },
    readReceipts: noHooks,
    readInbound: noHooks,
    hookReply: { contentType: 'text/plain', body: '' },
    fetchMedia: async () => {
      throw new Error('SMPP carries no pictures.');
    },
    listen(given) {
      ear = given;
      (receiver ?? line).open(hearing);
      if (receiver !== undefined) line.open({ ...hearing, lost: warnOfLoss });
    },
    problem() {
      if (ear === undefined) return undefined;
      const reason = line.problem() ?? receiver?.problem();
      return reason === undefined
        ? undefined
        : `The SMPP carrier can’t be reached: ${reason}. Texts wait for it.`;
    },
    async close() {
      await Promise.all([line.close(), receiver?.close()]);
      await hearing.settle();
      await ids.settle();
    },
  };
}

/** Ids of texts that are being written to the database. */
function createIdKeeping(ear: () => CarrierEar | undefined) {
  const keeping = createBatches<CarrierId>(async (batch) => {
    try {
      await ear()?.keepIds(batch);
    } catch (error) {
      // Saved with the next ones: without them the texts could not be found, nor their receipts matched.
      keeping.add(batch);
      throw error;
    }
  });
  const settle = () =>
    keeping
      .flush()
      .catch((error: unknown) =>
        ear()?.warn({ err: error }, 'the ids of texts at the SMPP carrier could not be kept yet'),
      );
  return {
    add(id: CarrierId): void {
      keeping.add([id]);
      void settle();
    },
    /** Rejects if they can't be saved. */
    flush: keeping.flush,
    /** Always resolves; unsaved ones are saved later. */
    settle,
  };
}

/** Responses that we sent this shortly before the connection was lost may not have reached the SMSC. */
const unsureMs = 5_000;
/** How long afterwards an SMSC may deliver again what was not acknowledged. */
const repeatMs = 600_000;

interface Answered<Item> {
  item: Item;
  answer: (status: number) => void;
}

/**
 * Messages from the SMSC. Each is acknowledged when it is stored, and with a code that requests it again if
 * it can't be.
 */
function createHearing(
  ear: () => CarrierEar | undefined,
  warnOfLoss: (reason: string) => void,
  settings: SmppSettings,
) {
  /** Messages stored recently, and those stored just before a connection was lost: by their content. */
  let stored: { hash: string; atMs: number }[] = [];
  const unsure = new Map<string, number>();
  const receipts = createStoring<NamedReceipt>(async (items) => ear()?.takeReceipts(items));
  const inbound = createStoring<InboundText | InboundPart>(async (items) => {
    await ear()?.takeInbound(
      items.filter((one) => 'inboundKey' in one),
      items.filter((one) => 'reference' in one),
    );
    const atMs = nowMs();
    stored = stored.filter((one) => atMs - one.atMs < unsureMs);
    stored.push(...items.map((one) => ({ hash: hashOf(one), atMs })));
  });

  function createStoring<Item>(work: (items: Item[]) => Promise<void>) {
    const storing = createBatches<Answered<Item>>(async (batch) => {
      let status = 0;
      try {
        await work(batch.map(({ item }) => item));
      } catch (error) {
        ear()?.warn({ err: error }, 'what the SMPP carrier sent could not be stored; it will send it again');
        status = temporary;
      }
      for (const { answer } of batch) answer(status);
    });
    return {
      take(item: Item): Promise<number> {
        const answered = new Promise<number>((answer) => storing.add([{ item, answer }]));
        void storing.flush();
        return answered;
      },
      flush: storing.flush,
    };
  }

  /**
   * Whether it was stored before the connection was lost, and our acknowledgment may not have arrived. Once.
   */
  function isRepeated(given: object): boolean {
    const hash = hashOf(given);
    const untilMs = unsure.get(hash);
    return untilMs !== undefined && unsure.delete(hash) && nowMs() < untilMs;
  }

  return {
    async deliver(pdu: Pdu): Promise<number> {
      const delivered = readDelivered(pdu, settings);
      if (delivered.kind === 'nothing') return 0;
      if (delivered.kind === 'receipt') {
        const carrierMessageId = readReceiptId(delivered.receipt.carrierMessageId, settings.idForm);
        return receipts.take({ ...delivered.receipt, carrierMessageId });
      }
      const given =
        delivered.kind === 'part'
          ? delivered.part
          : { ...delivered.text, inboundKey: `smpp:${randomUUID()}`, media: [] };
      return isRepeated(given) ? 0 : inbound.take(given);
    },
    lost(reason: string): void {
      warnOfLoss(reason);
      const atMs = nowMs();
      for (const [hash, untilMs] of unsure) if (untilMs < atMs) unsure.delete(hash);
      for (const one of stored) if (atMs - one.atMs < unsureMs) unsure.set(one.hash, atMs + repeatMs);
      stored = [];
    },
    async settle(): Promise<void> {
      await Promise.all([receipts.flush(), inbound.flush()]);
    },
  };
}

function hashOf(given: object): string {
  const { from, to, body, reference, part } = given as Partial<InboundPart>;
  return createHash('sha256')
    .update(JSON.stringify([from, to, body, reference, part]))
    .digest('base64');
}

/** While a batch is being processed, the next items gather. */
function createBatches<Item>(work: (items: Item[]) => Promise<void>) {
  let gathered: Item[] = [];
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    try {
      while (gathered.length > 0) {
        const batch = gathered;
        gathered = [];
        await work(batch);
      }
    } finally {
      // Here, not when the promise is seen to have ended: items that arrived between the two would wait
      // forever.
      running = undefined;
    }
  }

  return {
    add(items: Item[]): void {
      gathered.push(...items);
    },
    /** Ends when nothing is left; rejects when `work` does. */
    flush(): Promise<void> {
      if (running === undefined && gathered.length > 0) running = run();
      return running ?? Promise.resolve();
    },
  };
}
