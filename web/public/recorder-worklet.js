// Runs beside the page, where sound arrives: gathers a tenth of a second at a time and passes it on.
class Recorder extends AudioWorkletProcessor {
  constructor({ processorOptions }) {
    super();
    this.chunk = new Float32Array(Math.round((sampleRate * processorOptions.chunkMs) / 1000));
    this.filled = 0;
    this.isOver = false;
    this.port.onmessage = () => {
      // Samples since the last chunk belong to the recording too.
      this.port.postMessage({ samples: this.chunk.slice(0, this.filled), isLast: true });
      this.isOver = true;
    };
  }

  process([input]) {
    const channel = input[0];
    if (channel) {
      for (const sample of channel) {
        this.chunk[this.filled] = sample;
        this.filled += 1;
        if (this.filled < this.chunk.length) continue;
        this.port.postMessage({ samples: this.chunk.slice(), isLast: false });
        this.filled = 0;
      }
    }
    return !this.isOver;
  }
}

registerProcessor('muster-recorder', Recorder);
