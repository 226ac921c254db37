/** A paused request as Chromium writes it, without the NUL; the default is a plain POST without a body. */
export interface PauseFields {
  readonly requestId?: string;
  readonly url: string;
  readonly fragment?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly resourceType?: string;
}

export function pausedMessage(fields: PauseFields): string {
  const { requestId = '1', url, fragment, method = 'POST', headers = {}, body, resourceType = 'XHR' } = fields;
  const posted =
    body === undefined
      ? {}
      : { postData: body, hasPostData: true, postDataEntries: [{ bytes: Buffer.from(body).toString('base64') }] };
  const request = {
    url,
    ...(fragment === undefined ? {} : { urlFragment: fragment }),
    method,
    headers,
    ...posted,
    initialPriority: 'High',
    referrerPolicy: 'origin',
  };
  return JSON.stringify({ method: 'Fetch.requestPaused', params: { requestId, request, frameId: 'F', resourceType } });
}
