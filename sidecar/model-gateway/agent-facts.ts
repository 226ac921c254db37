import { parse } from 'yaml';
import { isObject } from '../../benchmark/text/json.ts';
import { modelConfigMeta } from '../../benchmark/bundle/model-config-meta.ts';
import type { ModelEntry } from '../../benchmark/models/models-file.ts';
import type { AgentModel } from '../../benchmark/protocol/model-gateway.ts';
import { createRedactor } from '../../benchmark/bundle/redact.ts';

/**
 * What harness and bundle may know of the model. The configuration's hash covers the entry as written, as upstream's
 * does, so the text is parsed again. Unknown fields appear only in the hash, because they may hold anything, such as a
 * header with another key. Keys are redacted from the rest.
 * @param text a models file that contains `model`.
 * @param baseUrl where the gateway listens.
 */
export function agentFacts(text: string, model: ModelEntry, baseUrl: string): AgentModel {
  const all: unknown = parse(text, { maxAliasCount: 100 });
  const entry = isObject(all) ? all[model.name] : null;
  const written = isObject(entry) ? entry : {};
  const meta = modelConfigMeta({ ...written, model: model.name, base_url: withoutCredentials(model.baseUrl) });
  const { extra: _unknown, sanitized_config_sha256: hash, ...known } = meta;
  const redact = createRedactor(model.keys);
  const clean = Object.entries(known).map(
    ([name, value]) => [name, typeof value === 'string' ? redact(value) : value] as const,
  );
  return {
    baseUrl,
    apiType: model.apiType,
    thinkingLevel: model.thinkingLevel,
    temperature: model.temperature,
    maxTokens: model.maxTokens,
    config: { ...Object.fromEntries(clean), sanitized_config_sha256: hash },
  };
}

/** Some users put a key into the address. */
function withoutCredentials(baseUrl: string): string {
  const url = new URL(baseUrl);
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`;
}
