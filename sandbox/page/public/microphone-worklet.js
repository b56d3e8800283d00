/** Hands what the microphone hears to the page, some milliseconds at a time. */
registerProcessor(
  'microphone',
  class extends AudioWorkletProcessor {
    process([input]) {
      if (input?.[0]) this.port.postMessage(input[0].slice());
      return true;
    }
  },
);
