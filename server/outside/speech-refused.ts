/** A text that this voice can't read, and trying again won't help. Its message is a sentence for people. */
export class SpeechRefused extends Error {
  override name = 'SpeechRefused';
}
