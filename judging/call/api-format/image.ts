/** Media type of an image from its first bytes; PNG, the type of our screenshots, when unknown. */
export function imageType(bytes: Uint8Array): 'image/png' | 'image/jpeg' {
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? 'image/jpeg' : 'image/png';
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

export function dataUrl(bytes: Uint8Array): string {
  return `data:${imageType(bytes)};base64,${base64(bytes)}`;
}
