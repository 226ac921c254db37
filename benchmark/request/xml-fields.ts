import { SaxesParser } from 'saxes';
import type { JsonObject, JsonValue } from '../text/json.ts';
import { toFields } from './urlencoded.ts';

/** Maximum number of elements that are read; a filter needs only a few. */
const MAX_ELEMENTS = 20_000;

export interface XmlFields {
  /** One object for each element with attributes or text-only children, by their local names. */
  readonly objects: readonly JsonObject[];
  /** Set when the document was not read completely. */
  readonly overflow?: string;
}

interface Open {
  readonly name: string;
  readonly fields: { name: string; value: JsonValue }[];
  text: string;
  hasChildren: boolean;
}

/**
 * The content of an XML body as flat objects that a filter can be tried on: in a SOAP request the fields of an order are the
 * children of one element, whatever the envelope. Entities that the document declares are not expanded.
 * @returns null when the text is not XML.
 */
export function xmlFields(text: string): XmlFields | null {
  if (!/^\s*</.test(text)) return null;
  const open: Open[] = [];
  const objects: JsonObject[] = [];
  let elements = 0;
  let problem: string | null = null;
  const parser = new SaxesParser();
  parser.on('error', () => {
    problem ??= 'the XML is not well-formed; only what precedes the error was read';
  });
  parser.on('opentag', ({ name, attributes }) => {
    elements += 1;
    const parent = open.at(-1);
    if (parent !== undefined) parent.hasChildren = true;
    const fields = Object.entries(attributes).map(([key, value]) => ({ name: localName(key), value }));
    open.push({ name: localName(name), fields, text: '', hasChildren: false });
  });
  const addText = (more: string): void => {
    const current = open.at(-1);
    if (current !== undefined) current.text += more;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const closed = open.pop();
    if (closed === undefined) return;
    if (!closed.hasChildren) open.at(-1)?.fields.push({ name: closed.name, value: closed.text.trim() });
    if (closed.fields.length > 0) objects.push(toFields(closed.fields));
  });
  // In chunks, so that a document of a million elements is not read beyond the limit.
  for (let at = 0; at < text.length && problem === null; at += PIECE) {
    parser.write(text.slice(at, at + PIECE));
    if (elements > MAX_ELEMENTS) problem = `the XML has more than ${String(MAX_ELEMENTS)} elements`;
  }
  if (problem === null) parser.close();
  for (const { fields } of open) if (fields.length > 0) objects.push(toFields(fields));
  if (elements === 0) return null;
  return problem === null ? { objects } : { objects, overflow: problem };
}

const PIECE = 64 * 1024;

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
