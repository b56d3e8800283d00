/** "Toll-free (prefixes 1800, 1833, 1844, 1855, 1866, 1877, 1888)". */
const tollFreeAreaCodes: readonly string[] = ['800', '833', '844', '855', '866', '877', '888'];

/** True if a number of the United States or Canada (14235550143, 4235550143, +14235550143) is toll-free. */
export function isTollFree(phone: string): boolean {
  const digits = phone.startsWith('+') ? phone.slice(1) : phone;
  if (digits.length === 11 && digits.startsWith('1')) return tollFreeAreaCodes.includes(digits.slice(1, 4));
  return digits.length === 10 && !phone.startsWith('+') && tollFreeAreaCodes.includes(digits.slice(0, 3));
}
