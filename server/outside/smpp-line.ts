import { setTimeout as delay } from 'node:timers/promises';
import smpp, { type Pdu, type Session } from 'smpp';
import { describeFailure } from './carrier-line.ts';

// We encode and decode texts ourselves: the package's own alphabet has an extension table that is off by one.
for (const { params } of [smpp.commands.submit_sm, smpp.commands.deliver_sm])
  delete params.short_message?.filter;
delete smpp.tlvs.message_payload.filter;

export interface SmppLineSettings {
  /** smpp://host:port, or smpps:// over TLS. */
  url: string;
  systemId: string;
  password: string;
  systemType: string;
  /** Number of texts that may be in progress without a response. */
  window: number;
  /** The maximum texts per second; undefined: as many as the SMSC accepts. */
  perSecond: number | undefined;
  enquireSeconds: number;
  /** Its bind type; a transceiver does both. */
  bindAs?: 'transceiver' | 'transmitter' | 'receiver';
  /** A private certificate authority. */
  ca?: string | undefined;
}

/** The result of one submit_sm, by the only criterion that matters: may it have arrived? */
export type Submission =
  | { kind: 'reply'; status: number; messageId: string }
  /** Not a byte of it was written. */
  | { kind: 'unsent'; reason: string }
  /** It was written, and no response came. */
  | { kind: 'lost'; reason: string };

interface SmppListener {
  /** Handles messages from the SMSC, and returns the status of the response. */
  deliver(pdu: Pdu): Promise<number>;
  /** The connection is gone; the last responses may not have reached the SMSC. */
  lost(reason: string): void;
}

/**
 * One bound connection to an SMSC, reopened whenever it is lost. Its password is in here and in no reason.
 */
export interface SmppLine {
  /** Connects, and stays connected. */
  open(listener: SmppListener): void;
  /** Reason why nothing can be submitted now; undefined if it can. Connects if no attempt is in progress. */
  findProblem(): Promise<string | undefined>;
  /** The same as far as it is known, without trying: not before the first attempt has ended. */
  problem(): string | undefined;
  /**
   * Waits for a slot in the window, until `untilMs` (of performance.now()). `late` is called with a response
   * that arrives after it was given up.
   */
  submit(fields: object, untilMs: number, late: (submission: Submission) => void): Promise<Submission>;
  close(): Promise<void>;
}

/** Connecting and binding together. */
const openMs = 4_000;
/** The same time-out as for an HTTP carrier. */
const answerMs = 5_000;
const unbindMs = 1_000;

export function openSmppLine(settings: SmppLineSettings): SmppLine {
  const { protocol, hostname, port } = new URL(settings.url);
  const isTls = protocol !== 'smpp:';
  const address = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (isTls ? 3550 : 2775),
    tls: isTls,
    servername: hostname,
    noDelay: true,
    ...(settings.ca === undefined ? {} : { ca: settings.ca }),
  };
  const gate = openGate(settings);
  const underWay = new Set<(reason: string) => void>();
  let listener: SmppListener | undefined;
  let session: Session | undefined;
  let isBound = false;
  let isClosed = false;
  let problem = 'it was not connected yet';
  let failures = 0;
  let attempt: Promise<void> | undefined;
  let again: NodeJS.Timeout | undefined;

  function connect(): Promise<void> {
    clearTimeout(again);
    attempt ??= bind().finally(() => {
      attempt = undefined;
    });
    return attempt;
  }

  /** Ends when it is bound, or when the reason for the failure is known. */
  function bind(): Promise<void> {
    return new Promise((done) => {
      const opened = smpp.connect({ ...address });
      session = opened;
      const limit = setTimeout(() => give(`no connection in ${openMs / 1000} seconds`), openMs);
      const give = (reason: string) => {
        problem = reason;
        opened.destroy();
      };
      opened.on(isTls ? 'secureConnect' : 'connect', () => {
        const { systemId, password, systemType, bindAs = 'transceiver' } = settings;
        opened[`bind_${bindAs}`](
          { system_id: systemId, password, system_type: systemType, interface_version: 0x34 },
          ({ command_status: status }) => {
            if (status !== 0) return give(`it refuses the bind (${describeStatus(status)})`);
            clearTimeout(limit);
            isBound = true;
            failures = 0;
            keepAlive(opened);
            done();
          },
        );
      });
      opened.on('error', (error: unknown) => give(describeFailure(error)));
      opened.on('close', () => {
        clearTimeout(limit);
        if (session === opened) lose();
        done();
      });
      serveSmsc(opened, async (pdu) => listener?.deliver(pdu) ?? temporary);
    });
  }

  /** The connection is gone: messages in progress may have arrived, and a new connection is tried. */
  function lose(): void {
    if (isBound) problem = 'the connection was cut';
    isBound = false;
    session = undefined;
    for (const cut of [...underWay]) cut('the connection was cut');
    if (isClosed || listener === undefined) return;
    listener.lost(problem);
    failures += 1;
    again = setTimeout(() => void connect(), backoffMs(failures));
  }

  /** Asks whether the SMSC is still there: a connection that died silently looks like an idle one. */
  function keepAlive(opened: Session): void {
    let limit: NodeJS.Timeout | undefined;
    const timer = setInterval(() => {
      clearTimeout(limit);
      limit = setTimeout(() => {
        problem = 'it stopped answering';
        opened.destroy();
      }, answerMs);
      opened.enquire_link(() => clearTimeout(limit));
    }, settings.enquireSeconds * 1000);
    opened.once('close', () => {
      clearInterval(timer);
      clearTimeout(limit);
    });
  }

  return {
    open(given) {
      const isFirst = listener === undefined;
      listener = given;
      if (isFirst && !isClosed) void connect();
    },
    async findProblem() {
      if (!isBound && !isClosed) await connect();
      return isBound ? undefined : problem;
    },
    problem: () => (isBound || (attempt !== undefined && failures === 0) ? undefined : problem),
    async submit(fields, untilMs, late) {
      if (!(await gate.enter(untilMs))) return { kind: 'unsent', reason: 'its turn did not come' };
      try {
        return await new Promise<Submission>((done) => {
          if (session === undefined || !isBound) return done({ kind: 'unsent', reason: problem });
          let isOver = false;
          const end = (submission: Submission) => {
            if (isOver) return submission.kind === 'reply' ? late(submission) : undefined;
            isOver = true;
            clearTimeout(limit);
            underWay.delete(cut);
            done(submission);
          };
          const cut = (reason: string) => end({ kind: 'lost', reason });
          const limit = setTimeout(() => cut(`no answer in ${answerMs / 1000} seconds`), answerMs);
          underWay.add(cut);
          const isWritten = session.submit_sm(fields, ({ command_status: status, message_id: messageId }) =>
            end({ kind: 'reply', status, messageId: messageId ?? '' }),
          );
          if (!isWritten) end({ kind: 'unsent', reason: 'the connection is closed' });
        });
      } finally {
        gate.leave();
      }
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      clearTimeout(again);
      await attempt;
      const open = session;
      if (open === undefined) return;
      const gone = new Promise<void>((done) => void open.once('close', done));
      if (isBound) open.unbind(() => open.close());
      await Promise.race([gone, delay(unbindMs)]);
      open.destroy();
    },
  };
}

/**
 * From a second to half a minute, with some randomness: a hundred programs don't reconnect at the same
 * moment.
 */
function backoffMs(failures: number): number {
  return Math.min(30_000, 1_000 * 2 ** Math.min(failures - 1, 5)) * (0.75 + Math.random() / 2);
}

/** ESME_RX_T_APPN: try again later. */
export const temporary = 0x64;

/** Requests from the SMSC. Its texts are acknowledged when they are stored, not before. */
function serveSmsc(opened: Session, deliver: (pdu: Pdu) => Promise<number>): void {
  opened.on('deliver_sm', (pdu: Pdu) => {
    deliver(pdu).then(
      (status) => opened.send(pdu.response({ command_status: status })),
      () => opened.send(pdu.response({ command_status: temporary })),
    );
  });
  opened.on('enquire_link', (pdu: Pdu) => opened.send(pdu.response()));
  opened.on('unknown', (pdu: Pdu) => opened.send(pdu.response()));
  opened.on('unbind', (pdu: Pdu) => {
    opened.send(pdu.response());
    opened.close();
  });
}

/** The window and the pace: each text waits for both. */
function openGate({ window, perSecond }: Pick<SmppLineSettings, 'window' | 'perSecond'>) {
  const waiting: (() => void)[] = [];
  let inside = 0;
  /** Time when the next text is due, by the pace; up to a tenth of a second may be caught up. */
  let dueMs = 0;
  return {
    /** False if its turn doesn't come by then. */
    async enter(untilMs: number): Promise<boolean> {
      if (inside < window) inside += 1;
      else await new Promise<void>((enter) => waiting.push(enter));
      const atMs = performance.now();
      const nextMs = perSecond === undefined ? atMs : Math.max(dueMs, atMs - 100) + 1000 / perSecond;
      if (nextMs > untilMs) {
        leave();
        return false;
      }
      dueMs = nextMs;
      if (nextMs > atMs) await delay(nextMs - atMs);
      return true;
    },
    leave,
  };

  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) inside -= 1;
    else next();
  }
}

/** The codes that an operator may see during setup, in words. */
const statusWords: Readonly<Record<number, string>> = {
  4: 'wrong state of the bind',
  5: 'this system id is already bound',
  8: 'system error',
  13: 'bind failed',
  14: 'wrong password',
  15: 'unknown system id',
  20: 'message queue full',
  69: 'submit failed',
  83: 'wrong system type',
  88: 'throttled',
};

export function describeStatus(status: number): string {
  const code = `0x${status.toString(16).padStart(2, '0').toUpperCase()}`;
  const words = statusWords[status];
  return words === undefined ? code : `${code} ${words}`;
}
