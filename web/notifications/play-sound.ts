let context: AudioContext | undefined;

/** Browsers let a page sound only after somebody has pressed something on it: until then it stays silent. */
const patienceMs = 300;

/** Two short tones, made here: no file to fetch at the moment it is needed. */
export async function playSound(): Promise<void> {
  if (typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  const audio = context;
  if (audio.state !== 'running') {
    await Promise.race([audio.resume(), new Promise((done) => setTimeout(done, patienceMs))]);
  }
  // Through the type: resume() has changed it.
  if ((audio.state as AudioContextState) !== 'running') return;
  tone(audio, 660, audio.currentTime);
  tone(audio, 880, audio.currentTime + 0.14);
}

function tone(audio: AudioContext, hertz: number, at: number): void {
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  oscillator.type = 'sine';
  oscillator.frequency.value = hertz;
  // In and out without a click.
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(0.12, at + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + 0.3);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(at);
  oscillator.stop(at + 0.32);
}
