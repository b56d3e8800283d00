/** A text that this voice can't read, even after a retry. Its message is for people. */
export class SpeechRefused extends Error {
  override name = 'SpeechRefused';
}
