import { createServer, type IncomingMessage } from 'node:http';
import { rule } from './rules.ts';

/** The rules behind an OpenAI-compatible endpoint: `POST /v1/chat/completions`. */

interface ChatRequest {
  readonly model?: string;
  readonly messages?: readonly { readonly content?: unknown }[];
}

async function readJson(request: IncomingMessage): Promise<ChatRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as ChatRequest;
}

function reply(request: ChatRequest): string {
  const message = (request.messages ?? []).map((one) => String(one.content)).join('\n');
  return JSON.stringify({
    id: 'ruling',
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: request.model ?? 'rules',
    choices: [
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: JSON.stringify(rule(message)) } },
    ],
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  });
}

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end('ok');
    return;
  }
  readJson(request).then(
    (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(reply(body)),
    () => response.writeHead(400).end(),
  );
});
const port = Number(process.env['PORT'] ?? '8081');
server.listen(port, () => console.log(`demo judge on port ${port}: rules, no model`));
process.on('SIGTERM', () => server.close(() => process.exit(0)));
