import { describe, expect, it } from 'vitest';
import {
  interceptionOnMatch,
  interceptionWithoutMatch,
  MAX_RAW_BYTES,
  type TerminalRequest,
} from './interception-file.ts';

const schema = { url_pattern: '/hit', method: 'POST' };
const caught = (body: Uint8Array | undefined, type = 'application/json'): TerminalRequest => ({
  at: 2500,
  url: 'https://x.test/hit?a=1',
  method: 'POST',
  headers: { 'content-type': type, cookie: 'a=b' },
  resourceType: 'Fetch',
  body,
  bodyStatus: body === undefined ? 'none' : 'complete',
  frameUrl: 'https://x.test/',
  initiator: 'script',
});
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('interception.json', () => {
  it("has upstream's fields and ours after them", () => {
    const file = interceptionOnMatch(caught(bytes('{"n":1}')), schema);
    expect(Object.keys(file)).toEqual(['intercepted', 'request', 'schema']);
    expect(Object.keys(file.request).slice(0, 4)).toEqual(['url', 'method', 'params', 'body']);
    expect(file).toMatchObject({
      intercepted: true,
      request: {
        params: { a: '1' },
        body: { n: 1 },
        headers: { cookie: 'a=[REDACTED]' },
        timestamp: 2.5,
        resource_type: 'Fetch',
        frame_url: 'https://x.test/',
        initiator: 'script',
        body_status: 'complete',
        body_raw: '{"n":1}',
        body_raw_encoding: 'utf-8',
        body_raw_truncated: false,
      },
      schema,
    });
  });
  it('keeps raw bytes as base64, truncated', () => {
    const binary = interceptionOnMatch(caught(new Uint8Array([0xff, 0x00]), 'application/octet-stream'), schema);
    expect(binary.request).toMatchObject({ body_raw: '/wA=', body_raw_encoding: 'base64' });
    const long = interceptionOnMatch(caught(bytes('é'.repeat(MAX_RAW_BYTES)), 'text/plain'), schema);
    expect(long.request.body_raw_truncated).toBe(true);
    expect(long.request.body_raw).toBe('é'.repeat(MAX_RAW_BYTES / 2));
  });
  it('has null fields for a missing body', () => {
    expect(interceptionOnMatch(caught(undefined), null)).toMatchObject({
      request: { body: null, body_raw: null, body_status: 'none' },
      schema: null,
    });
  });
  it('records why a run ended without an interception', () => {
    expect(interceptionWithoutMatch('agent_idle', schema)).toMatchObject({
      intercepted: false,
      stop_reason: 'agent_idle',
      request: null,
      schema,
    });
    expect(interceptionWithoutMatch('', undefined)).toMatchObject({ stop_reason: 'unknown', schema: null });
    expect(interceptionWithoutMatch('made_up', null).stop_description).toContain('made_up');
  });
});
