import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { wholeNumber } from '../number-option.ts';
import { startViewServer } from './server.ts';

interface ViewOptions {
  readonly port: number;
  readonly open: boolean;
}

/** Adds `view` to the command line. It ends with Ctrl-C. */
export function addViewCommand(program: Command): void {
  program
    .command('view')
    .description('look at bundles in a folder: outcome, request, video and actions of each run')
    .argument('<dir>', 'folder with bundles, at any depth')
    .option('--port <n>', 'port on 127.0.0.1; 0: any free one', wholeNumber(0, 65_535), 0)
    .option('--no-open', 'open no browser')
    .action(async (directory: string, options: ViewOptions) => {
      const server = await startViewServer(directory, options.port);
      const url = `http://127.0.0.1:${server.port}/`;
      console.log(`${url}  (Ctrl-C ends it)`);
      if (options.open) openBrowser(url);
      await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
      await server.close();
    });
}

/** Only on a desktop. Where it fails the address was printed anyway. */
function openBrowser(url: string): void {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const desktop = process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'] ?? '';
  if (process.platform !== 'darwin' && desktop === '') return;
  const child = spawn(opener, [url], { stdio: 'ignore', detached: true });
  child.once('error', () => undefined);
  child.unref();
}
