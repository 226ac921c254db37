import { gunzipSync, gzipSync } from 'node:zlib';

/**
 * A list of rows as the content of ConfigMaps. A task takes 300 bytes, so about 3,000 fill a ConfigMap; gzipped it takes 100 (its
 * hash does not compress). The list is plain text while it fits, because people read it with kubectl; otherwise gzipped.
 */

/** The API server's limit for all values of `data` and (decoded) `binaryData` together. */
export const MAX_MAP_BYTES = 1024 * 1024;
/** Limit of the decompressed size, in case the object is damaged. */
const MAX_UNPACKED = 256 * 1024 * 1024;

export interface MapContent {
  readonly data?: Readonly<Record<string, string>>;
  /** Base64. */
  readonly binaryData?: Readonly<Record<string, string>>;
}

/** The rows do not fit in a ConfigMap, even gzipped. */
export class RowsTooLarge extends Error {
  override readonly name = 'RowsTooLarge';
  /** Bytes above {@link MAX_MAP_BYTES}. */
  readonly over: number;
  constructor(file: string, over: number) {
    super(`${file} is ${String(over)} bytes larger, gzipped, than the 1 MiB that a ConfigMap can hold`);
    this.over = over;
  }
}

/** Name of the gzipped form of a file of rows. */
export function gzippedName(file: string): string {
  return `${file}.gz`;
}

/** @throws RowsTooLarge */
export function packRows(file: string, rows: readonly unknown[]): MapContent {
  const text = JSON.stringify(rows);
  if (Buffer.byteLength(text) <= MAX_MAP_BYTES) return { data: { [file]: text } };
  const packed = gzipSync(text, { level: 9 });
  if (packed.byteLength > MAX_MAP_BYTES) throw new RowsTooLarge(file, packed.byteLength - MAX_MAP_BYTES);
  return { binaryData: { [gzippedName(file)]: packed.toString('base64') } };
}

/** Name of the n-th part of a file of rows, 1-based; the first part has the name of the file. */
export function partName(file: string, part: number): string {
  return part === 1 ? file : file.replace(/(\.[^./]*)?$/, (extension) => `-${String(part)}${extension}`);
}

/**
 * The rows as the content of as few ConfigMaps as hold them, in order, each with its part of the file.
 * @param parts minimum number of parts; surplus parts are empty.
 */
export function packParts(file: string, rows: readonly unknown[], parts = 1): readonly MapContent[] {
  const groups = split(file, rows);
  const all = [...groups, ...Array.from({ length: Math.max(0, parts - groups.length) }, () => [])];
  return all.map((group, index) => packRows(partName(file, index + 1), group));
}

function split(file: string, rows: readonly unknown[]): readonly (readonly unknown[])[] {
  try {
    packRows(file, rows);
    return [rows];
  } catch (error) {
    if (!(error instanceof RowsTooLarge) || rows.length < 2) throw error;
    const half = Math.ceil(rows.length / 2);
    return [...split(file, rows.slice(0, half)), ...split(file, rows.slice(half))];
  }
}

/** The rows in either form; null when they are missing or cannot be read. */
export function unpackRows(file: string, { data, binaryData }: MapContent): unknown {
  const packed = binaryData?.[gzippedName(file)];
  try {
    return JSON.parse(packed === undefined ? (data?.[file] ?? 'null') : gunzipRows(Buffer.from(packed, 'base64')));
  } catch {
    return null;
  }
}

/** The text of the gzipped form. @throws when it is damaged */
export function gunzipRows(packed: Uint8Array): string {
  return gunzipSync(packed, { maxOutputLength: MAX_UNPACKED }).toString('utf8');
}
