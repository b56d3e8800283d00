/** The next step once the organization is registered. Texts to Canada come from a toll-free number (decision 0183). */
export function completeWords(of: { canText: boolean; isCanadian: boolean; hasApplied: boolean }): string {
  if (of.canText) return 'The phone carriers have confirmed your organization. You can send texts now.';
  if (!of.isCanadian)
    return 'The phone carriers have confirmed your organization. To send texts, get a local number: it joins the registration by itself.';
  return of.hasApplied
    ? 'The phone carriers have confirmed your organization. You can send texts when you have your toll-free number.'
    : 'The phone carriers have confirmed your organization. To send texts, apply for a toll-free number: it reaches Canada and the US.';
}
