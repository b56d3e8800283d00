let context: AudioContext | undefined;

/** Browsers allow sound only after the user has pressed something on the page. */
const patienceMs = 300;

/** Two short tones, generated here, so that no file has to load. */
export async function playSound(): Promise<void> {
  if (typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  const audio = context;
  if (audio.state !== 'running') {
    await Promise.race([audio.resume(), new Promise((done) => setTimeout(done, patienceMs))]);
  }
  // TypeScript narrowed the state, but resume() has changed it.
  if ((audio.state as AudioContextState) !== 'running') return;
  tone(audio, 660, audio.currentTime);
  tone(audio, 880, audio.currentTime + 0.14);
}

function tone(audio: AudioContext, hertz: number, at: number): void {
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  oscillator.type = 'sine';
  oscillator.frequency.value = hertz;
  // Fades in and out to avoid a click.
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(0.12, at + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + 0.3);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(at);
  oscillator.stop(at + 0.32);
}
