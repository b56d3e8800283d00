import { randomUUID } from 'node:crypto';
import type { Pdu } from 'smpp';
import {
  type Carrier,
  type CarrierEar,
  type CarrierId,
  type Heard,
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
      // Received texts are acknowledged first: the SMSC delivers again everything that it got no response for.
      await hearing.settle();
      await Promise.all([line.close(), receiver?.close()]);
      hearing.close();
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

/** A lost connection is noticed when enquire_link gets no response for this long; with a margin. */
const noticeSeconds = 10;

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
  settings: Pick<SmppSettings, keyof ReadSettings | 'idForm' | 'enquireSeconds'>,
) {
  let connection = randomUUID();
  let trusting: NodeJS.Timeout | undefined;
  let isClosed = false;
  const receipts = createStoring<NamedReceipt>(async (items) => ear()?.takeReceipts(items));
  const inbound = createStoring<Heard<InboundText> | Heard<InboundPart>>(async (items) => {
    await ear()?.takeInbound(
      items.filter((one) => 'inboundKey' in one),
      items.filter((one) => 'reference' in one),
    );
    trustLater();
  });

  /** Once a connection has outlived the time in which a loss is noticed, the SMSC has our responses. */
  function trustLater(): void {
    if (isClosed) return;
    const { enquireSeconds } = settings;
    const seconds = enquireSeconds + noticeSeconds;
    const of = connection;
    trusting ??= setTimeout(() => {
      trusting = undefined;
      ear()
        ?.trust(of, seconds)
        .then(
          (isAnyLeft) => isAnyLeft && of === connection && trustLater(),
          (error: unknown) => {
            ear()?.warn(
              { err: error },
              'texts from the SMPP carrier could not be marked as acknowledged yet',
            );
            trustLater();
          },
        );
    }, seconds * 1000);
  }

  function stopTrusting(): void {
    clearTimeout(trusting);
    trusting = undefined;
  }

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

  return {
    async deliver(pdu: Pdu): Promise<number> {
      const delivered = readDelivered(pdu, settings);
      if (delivered.kind === 'nothing') return 0;
      if (delivered.kind === 'receipt') {
        const carrierMessageId = readReceiptId(delivered.receipt.carrierMessageId, settings.idForm);
        return receipts.take({ ...delivered.receipt, carrierMessageId });
      }
      return inbound.take(
        delivered.kind === 'part'
          ? { ...delivered.part, connection }
          : { ...delivered.text, connection, inboundKey: `smpp:${randomUUID()}`, media: [] },
      );
    },
    lost(reason: string): void {
      warnOfLoss(reason);
      stopTrusting();
      connection = randomUUID();
    },
    close(): void {
      isClosed = true;
      stopTrusting();
    },
    async settle(): Promise<void> {
      await Promise.all([receipts.flush(), inbound.flush()]);
    },
  };
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
