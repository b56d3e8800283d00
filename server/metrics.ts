import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics of /metrics, in Prometheus' format. One registry per process, or one per test. */
export function createMetrics(options: { withDefaults: boolean }) {
  const registry = new Registry();
  if (options.withDefaults) collectDefaultMetrics({ register: registry, prefix: 'muster_' });
  const registers = [registry];
  return {
    registry,
    calls: new Histogram({
      name: 'muster_call_seconds',
      help: 'Time to answer a call.',
      labelNames: ['call', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    textsHanded: new Counter({
      name: 'muster_texts_handed_total',
      help: 'Texts that a carrier took.',
      labelNames: ['aggregator'],
      registers,
    }),
    textsInDoubt: new Counter({
      name: 'muster_texts_in_doubt_total',
      help: 'Texts where we did not know at first whether the carrier accepted them.',
      labelNames: ['aggregator'],
      registers,
    }),
    carrierErrors: new Counter({
      name: 'muster_carrier_errors_total',
      help: 'Requests to a carrier that failed.',
      labelNames: ['aggregator', 'kind'],
      registers,
    }),
    receiptsApplied: new Counter({
      name: 'muster_receipts_applied_total',
      help: 'Delivery receipts applied.',
      registers,
    }),
    inboundApplied: new Counter({
      name: 'muster_inbound_texts_total',
      help: 'Inbound texts put into conversations.',
      registers,
    }),
    jobsFailed: new Counter({
      name: 'muster_jobs_failed_total',
      help: 'Tries of jobs that failed; most are tried again.',
      labelNames: ['task'],
      registers,
    }),
    outboxWaiting: new Gauge({
      name: 'muster_outbox_rows',
      help: 'Texts that wait to be handed to a carrier.',
      registers,
    }),
    jobsStuck: new Gauge({
      name: 'muster_jobs_stuck',
      help: 'Jobs that used up their tries.',
      registers,
    }),
    sockets: new Gauge({ name: 'muster_sockets', help: 'Open real-time sockets.', registers }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
