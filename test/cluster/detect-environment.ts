import type { Engine, DetectedEnvironment } from './choose-cluster.ts';
import { isEmbedded } from './lifecycle.ts';
import { tryRun } from './run-command.ts';

/** What a person asked for on the command line. */
export interface Asked {
  context?: string;
  kubeconfig?: string;
}

async function answers(program: string, args: string[]): Promise<boolean> {
  return (await tryRun(program, args, { limitMs: 5_000 })) !== undefined;
}

/** A client without a daemon is common (CI images have one), so the daemon itself is asked. */
async function engineAndKind(): Promise<Pick<DetectedEnvironment, 'engine' | 'kind'>> {
  const questions: [Engine, string[]][] = [
    ['docker', ['version', '--format', '{{.Server.Version}}']],
    ['podman', ['info', '--format', '{{.Host.OS}}']],
  ];
  for (const [engine, args] of questions) {
    if (await answers(engine, args)) return { engine, kind: await answers('kind', ['version']) };
  }
  return { kind: false };
}

/** An empty KUBECONFIG is one that wasn't given. */
function namedCluster(
  asked: Asked,
  env: NodeJS.ProcessEnv,
): Pick<DetectedEnvironment, 'context' | 'kubeconfig' | 'kubeconfigIsEmbedded'> {
  const kubeconfig = asked.kubeconfig ?? env.KUBECONFIG ?? '';
  return {
    ...(asked.context === undefined ? {} : { context: asked.context }),
    ...(kubeconfig === '' ? {} : { kubeconfig }),
    kubeconfigIsEmbedded: kubeconfig !== '' && isEmbedded(kubeconfig),
  };
}

/** Looks for a container engine and kind, unless a cluster was named (each question may take 5 s). */
export async function detectEnvironment(
  asked: Asked = {},
  env: NodeJS.ProcessEnv = process.env,
): Promise<DetectedEnvironment> {
  const named = namedCluster(asked, env);
  const decided = named.context !== undefined || named.kubeconfig !== undefined;
  return {
    ...named,
    ...(decided ? { kind: false } : await engineAndKind()),
    platform: process.platform,
    root: process.getuid?.() === 0,
  };
}
