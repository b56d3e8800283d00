/** The most characters that Infobip takes; the wizard says so before a text is cut. */
export const registrarLengths = { description: 500, sample: 320, name: 100, city: 50 } as const;

/** Says that the registrar reads only the beginning; until then the usual help. */
export function lengthHelp(text: string, most: number, help: string): string {
  return text.length > most
    ? `The registrar reads the first ${most} characters. Put what matters first.`
    : help;
}
