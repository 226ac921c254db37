import { createServer, type IncomingMessage } from 'node:http';
import { nextReply, offersTools } from './agentic.ts';
import { rule } from './rules.ts';

/** Serves the rules as an OpenAI-compatible endpoint: `POST /v1/chat/completions`. */

interface ChatRequest {
  readonly model?: string;
  readonly messages?: readonly { readonly role?: unknown; readonly content?: unknown }[];
}

async function readJson(request: IncomingMessage): Promise<ChatRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as ChatRequest;
}

function reply(request: ChatRequest): string {
  const messages = (request.messages ?? []).map((one) => ({ role: one.role, text: String(one.content) }));
  const prompts = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
  const isEvaluator = messages.some(({ role, text }) => role === 'system' && offersTools(text));
  const content = isEvaluator ? nextReply(prompts) : rule(messages.map(({ text }) => text).join('\n'));
  return JSON.stringify({
    id: 'ruling',
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: request.model ?? 'rules',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: JSON.stringify(content) } }],
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
