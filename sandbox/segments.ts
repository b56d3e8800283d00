// Number of parts that a text takes on the air: GSM 03.38 in 160 (153 each when there are several), anything else as
// UCS-2 in 70 (67).

const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿' +
  'abcdefghijklmnopqrstuvwxyzäöñüà';
const extended = '\f^{}\\[~]|€';

const weight = new Uint8Array(65_536);
for (const character of basic) weight[character.charCodeAt(0)] = 1;
for (const character of extended) weight[character.charCodeAt(0)] = 2;

export function countSegments(text: string): number {
  let septets = 0;
  for (let i = 0; i < text.length; i++) {
    const cost = weight[text.charCodeAt(i)] ?? 0;
    if (cost === 0) return text.length <= 70 ? 1 : Math.ceil(text.length / 67);
    septets += cost;
  }
  return septets <= 160 ? 1 : Math.ceil(septets / 153);
}
