import { compileTask, type TaskRules } from '../compile-rules.ts';

/** A task's rules that guard and gateway hold as they hold a run's, and that decide by another task after `use`. */
export interface ChangeableTask extends TaskRules {
  use(evalSchema: unknown): void;
}

/** @param refresh called before each decision; may call `use`. */
export function createChangeableTask(evalSchema: unknown, refresh: () => void = () => undefined): ChangeableTask {
  let current = compileTask(evalSchema);
  const rules = (): TaskRules => {
    refresh();
    return current;
  };
  return {
    target: {
      get schema() {
        return rules().target.schema;
      },
      get armed() {
        return rules().target.armed;
      },
      get needsBody() {
        return rules().target.needsBody;
      },
      matchesHead: (head) => rules().target.matchesHead(head),
      matches: (request) => rules().target.matches(request),
    },
    webSocketRule: {
      refusesUrl: (url) => rules().webSocketRule.refusesUrl(url),
      refusesHost: (host, port) => rules().webSocketRule.refusesHost(host, port),
    },
    use: (next) => {
      current = compileTask(next);
    },
  };
}
