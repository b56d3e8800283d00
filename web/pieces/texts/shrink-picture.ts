/** As wide or high as any phone shows it. The server makes it smaller still for carriers. */
const mostPixels = 2048;
const quality = 0.85;

/** A camera's picture as a JPEG that may be uploaded. Rejects if this browser can't read it. */
export async function shrinkPicture(file: File): Promise<File> {
  // Turned the way the camera was held.
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const scale = Math.min(1, mostPixels / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser can’t draw.');
  // JPEG has no transparency: without this, it would turn black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', quality));
  if (!blob) throw new Error('This browser can’t write JPEG.');
  return new File([blob], `${file.name.replace(/\.\w+$/, '') || 'picture'}.jpg`, { type: 'image/jpeg' });
}
