import type { IncomingMessage, ServerResponse } from 'node:http';
import { callsInTurn } from './caps.ts';
import { readModelCall, type GatewayParts, type ModelCall } from './model-call.ts';
import { outgoingHeaders } from './outgoing-request.ts';
import { askProvider } from './provider-call.ts';
import { failureOfError } from './provider-failure.ts';
import { CLIENT_LEFT, NOTHING_REPORTED, recordBill, recordCall, recordFailure } from './record-call.ts';
import { answerError, refuse } from './refuse.ts';
import { relayAnswer } from './relay-answer.ts';
import { relayError } from './relay-error.ts';

/** Forwards requests of the harness to the provider. One function per gateway, since calls may have to wait in turn. */
export function callForwarder(
  parts: GatewayParts,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return async (request, response) => {
    const call = await readModelCall(parts, request, response);
    if (call === null) return;
    if (call.endpoint.billed === null || !callsInTurn(parts.caps)) return withinCaps(parts, call);
    const before = last;
    const mine = before.then(() => withinCaps(parts, call));
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** Forwards a call unless a cap of the run is reached. */
async function withinCaps(parts: GatewayParts, call: ModelCall): Promise<void> {
  const { ledger } = parts;
  if (call.gone.signal.aborted) return;
  const billed = call.endpoint.billed !== null;
  const reached = billed ? ledger.open() : null;
  if (reached !== null) {
    ledger.refused(reached.reason);
    refuse(call.response, reached.reason, reached.message);
    recordCall(parts, call, { status: 402, result: reached.reason });
    return;
  }
  if (billed) parts.files.begun(ledger.state);
  try {
    await forward(parts, call);
  } finally {
    if (billed) ledger.close();
  }
}

async function forward(parts: GatewayParts, call: ModelCall): Promise<void> {
  const { model } = parts;
  const { signal } = call.gone;
  let answered = false;
  try {
    const answer = await askProvider(
      {
        url: call.url,
        method: call.request.method ?? 'GET',
        headers: (key) => outgoingHeaders(call.request.headers, call.endpoint.billed, model.apiType, key),
        body: call.request.method === 'GET' ? null : call.body.bytes,
        plainBody: call.body.usageAsked ? call.body.asSent : null,
        billed: call.endpoint.billed,
        signal,
      },
      {
        ...parts,
        onFailure: ({ kind }, status) => {
          recordFailure(parts, call, kind, status);
        },
        onFieldRefused: () => {
          parts.refused.usageOption = true;
          parts.log.info(
            { endpoint: call.path },
            'the provider refuses stream_options; usage is estimated from now on',
          );
        },
      },
    );
    answered = true;
    if (answer.failure === null) await relayAnswer(parts, call, answer);
    else await relayError(parts, call, answer, answer.failure);
  } catch (error) {
    if (signal.aborted) recordHangUp(parts, call, answered);
    else noAnswer(parts, call, error);
  }
}

/** The provider was at work on the call, and bills it: a client must not escape its caps by hanging up. */
function recordHangUp(parts: GatewayParts, call: ModelCall, answered: boolean): void {
  const isBilled = !answered && call.endpoint.billed !== null;
  const bill = isBilled ? recordBill(parts, call, NOTHING_REPORTED, CLIENT_LEFT) : null;
  recordCall(parts, call, { status: 0, result: 'ClientGone', bill });
}

function noAnswer(parts: GatewayParts, call: ModelCall, error: unknown): void {
  const kind = failureOfError(error);
  recordFailure(parts, call, kind, 0);
  parts.log.warn({ kind, endpoint: call.path }, 'the model provider did not answer');
  const message = kind === 'Timeout' ? 'the provider did not answer in time' : 'the provider cannot be reached';
  answerError(call.response, { status: 502, type: 'clawbench_provider_unreachable', code: kind, message });
  recordCall(parts, call, { status: 502, result: kind });
}
