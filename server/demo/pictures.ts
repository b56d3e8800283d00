import sharp from 'sharp';
import { encodeImage } from '../media/create-image.ts';

/** A signed form on a desk, and a map with a detour: drawn, since a demo needs pictures of its own. */
export async function drawPictures() {
  const [form, map] = await Promise.all([drawn(formDrawing), drawn(mapDrawing)]);
  return { form, map };
}

async function drawn(svg: string) {
  return encodeImage(await sharp(Buffer.from(svg)).jpeg({ quality: 88 }).toBuffer());
}

const line = (y: number, width: number) =>
  `<rect x="150" y="${y}" width="${width}" height="7" rx="3" fill="#aeb8b5"/>`;

const formDrawing = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="550" viewBox="0 0 900 550">
  <rect width="900" height="550" fill="#7a5a3f"/>
  <path d="M0 90H900M0 210H900M0 330H900M0 450H900" stroke="#6d4f36" stroke-width="6"/>
  <g transform="rotate(-5 450 275)">
    <rect x="110" y="10" width="520" height="620" fill="#fdfcf8"/>
    <rect x="150" y="50" width="34" height="34" rx="8" fill="#0f766e"/>
    <rect x="200" y="58" width="260" height="16" rx="6" fill="#13201d"/>
    <rect x="150" y="108" width="330" height="22" rx="6" fill="#13201d"/>
    ${[160, 182, 204, 226].map((y, i) => line(y, [430, 420, 436, 240][i] ?? 400)).join('')}
    ${[280, 322, 364].map((y) => `<rect x="150" y="${y}" width="440" height="2" fill="#7b8784"/>`).join('')}
    <path d="M160 272c20-26 30 20 46-8s26 14 40-4 22-16 40 2" fill="none" stroke="#1d4f91" stroke-width="5"/>
    <path d="M160 314c14-22 30 16 44-6s30 8 50-10 30 18 56 4" fill="none" stroke="#1d4f91" stroke-width="5"/>
    <path d="M152 396l12 14 22-30M152 440l12 14 22-30" fill="none" stroke="#1d4f91" stroke-width="6"/>
    ${line(398, 0)}<rect x="206" y="396" width="300" height="8" rx="4" fill="#aeb8b5"/><rect x="206" y="440" width="260" height="8" rx="4" fill="#aeb8b5"/>
    <path d="M300 500c30-50 50-40 44 0s40-50 70-26 10 40 60 8" fill="none" stroke="#1d4f91" stroke-width="6"/>
  </g>
  <rect x="735" y="-20" width="26" height="520" rx="13" transform="rotate(18 748 240)" fill="#16211f"/>
</svg>`;

const mapDrawing = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="560" viewBox="0 0 900 560">
  <rect width="900" height="560" fill="#eef1ee"/>
  <rect x="0" y="430" width="430" height="130" fill="#dcecd8"/><rect x="620" y="470" width="280" height="90" fill="#dcecd8"/>
  <path d="M-20 250C160 200 220 300 400 240S700 120 920 160" fill="none" stroke="#bfdcec" stroke-width="46"/>
  <g stroke="#fff" stroke-width="16">${[90, 210, 340, 470].map((y) => `<path d="M0 ${y}H900"/>`).join('')}${[110, 270, 430, 590, 760].map((x) => `<path d="M${x} 0V560"/>`).join('')}</g>
  <path d="M110 470V340H270V90H760V340" fill="none" stroke="#0f766e" stroke-width="14" stroke-linejoin="round"/>
  <path d="M270 340H760" stroke="#b42318" stroke-width="8" stroke-dasharray="6 14" stroke-linecap="round"/>
  <circle cx="515" cy="340" r="26" fill="#b42318"/><rect x="500" y="335" width="30" height="10" rx="4" fill="#fff"/>
  <circle cx="110" cy="470" r="18" fill="#fff" stroke="#0f766e" stroke-width="10"/>
  <path d="M760 372c-34-40-34-74 0-78s34 38 0 78z" fill="#0f766e"/><circle cx="760" cy="322" r="12" fill="#fff"/>
</svg>`;
