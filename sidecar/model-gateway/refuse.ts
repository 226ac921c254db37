import type { ServerResponse } from 'node:http';
import type { CallRefusal } from '../../benchmark/protocol/model-gateway.ts';

/** 402, because clients retry 429 and 5xx, and a cap does not go away. */
const STATUS: Readonly<Record<CallRefusal, number>> = {
  TokenCap: 402,
  CostCap: 402,
  CallCap: 402,
  PriceUnknown: 402,
  EndpointNotAllowed: 403,
  BodyTooLarge: 413,
};

/** Answers in a form that the clients of all four APIs can read: an `error` with type, code and message. */
export function refuse(response: ServerResponse, reason: CallRefusal, message: string): void {
  answerError(response, { status: STATUS[reason], type: `clawbench_${snake(reason)}`, code: reason, message });
}

export interface ErrorAnswer {
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly message: string;
}

/** Sends an error of the gateway itself; if an answer has begun already, destroys the connection. */
export function answerError(response: ServerResponse, { status, type, code, message }: ErrorAnswer): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const text = JSON.stringify({ type: 'error', error: { type, code, message: `model gateway: ${message}` } });
  response.writeHead(status, { 'content-type': 'application/json', 'x-clawbench-refusal': code });
  response.end(text);
}

function snake(name: string): string {
  return name.replace(/(?<=[a-z])([A-Z])/g, '_$1').toLowerCase();
}
