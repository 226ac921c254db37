import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { wholeNumber } from '../number-option.ts';
import { startViewServer } from './server.ts';

interface ViewOptions {
  readonly port: number;
  readonly open: boolean;
}

/** Adds `view` to the command line. It runs until Ctrl-C. */
export function addViewCommand(program: Command): void {
  program
    .command('view')
    .description('Serve the bundles in a folder as web pages: outcome, request, video and actions of each run.')
    .argument('<dir>', 'folder with bundles at any depth')
    .option('--port <n>', 'port on 127.0.0.1; 0 for any free port', wholeNumber(0, 65_535), 0)
    .option('--no-open', 'do not open a browser')
    .action(async (directory: string, options: ViewOptions) => {
      const server = await startViewServer(directory, options.port);
      const url = `http://127.0.0.1:${server.port}/`;
      console.log(`Serving ${directory} at ${url} (press Ctrl-C to stop)`);
      if (options.open) openBrowser(url);
      await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
      await server.close();
    });
}

/** Opens the page on a desktop. Errors are ignored, since the URL has been printed. */
function openBrowser(url: string): void {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const desktop = process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'] ?? '';
  if (process.platform !== 'darwin' && desktop === '') return;
  const child = spawn(opener, [url], { stdio: 'ignore', detached: true });
  child.once('error', () => undefined);
  child.unref();
}
