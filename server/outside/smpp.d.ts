/** The part of the package `smpp` that Muster uses; it has no types of its own. */
declare module 'smpp' {
  import type { EventEmitter } from 'node:events';
  import type { Socket } from 'node:net';

  export interface Pdu {
    command: string;
    command_status: number;
    sequence_number: number;
    message_id?: string;
    source_addr_ton?: number;
    source_addr?: string;
    dest_addr_ton?: number;
    destination_addr?: string;
    esm_class?: number;
    data_coding?: number;
    short_message?: Buffer;
    message_payload?: Buffer;
    receipted_message_id?: string;
    message_state?: number;
    network_error_code?: Buffer;
    sar_msg_ref_num?: number;
    sar_total_segments?: number;
    sar_segment_seqnum?: number;
    response(fields?: { command_status?: number; message_id?: string }): Pdu;
  }

  type Answered = (pdu: Pdu) => void;

  export interface Session extends EventEmitter {
    socket: Socket;
    /** False when the socket isn't writable: nothing was sent. */
    send(pdu: Pdu): boolean;
    bind_transceiver(fields: object, answered: Answered): boolean;
    bind_transmitter(fields: object, answered: Answered): boolean;
    bind_receiver(fields: object, answered: Answered): boolean;
    submit_sm(fields: object, answered: Answered): boolean;
    enquire_link(answered: Answered): boolean;
    unbind(answered: Answered): boolean;
    close(): void;
    destroy(): void;
  }

  interface Params {
    params: Record<string, { filter?: unknown }>;
  }

  const smpp: {
    connect(options: object): Session;
    commands: { submit_sm: Params; deliver_sm: Params };
    tlvs: { message_payload: { filter?: unknown } };
  };
  export default smpp;
}
