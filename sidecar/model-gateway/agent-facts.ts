import { parse } from 'yaml';
import { isObject } from '../../benchmark/json.ts';
import { modelConfigMeta } from '../../benchmark/model-config-meta.ts';
import type { ModelEntry } from '../../benchmark/models-file.ts';
import type { AgentModel } from '../../benchmark/protocol/model-gateway.ts';

/**
 * What harness and bundle may know of the model. The configuration's hash is over the entry as it is written, as
 * upstream's, so the text is read once more.
 * @param text a models file that holds `model`.
 * @param baseUrl where the gateway listens.
 */
export function agentFacts(text: string, model: ModelEntry, baseUrl: string): AgentModel {
  const all: unknown = parse(text, { maxAliasCount: 100 });
  const entry = isObject(all) ? all[model.name] : null;
  const written = isObject(entry) ? entry : {};
  return {
    baseUrl,
    apiType: model.apiType,
    thinkingLevel: model.thinkingLevel,
    temperature: model.temperature,
    maxTokens: model.maxTokens,
    config: { ...modelConfigMeta({ ...written, model: model.name, base_url: withoutCredentials(model.baseUrl) }) },
  };
}

/** Some put a key into the address. */
function withoutCredentials(baseUrl: string): string {
  const url = new URL(baseUrl);
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`;
}
