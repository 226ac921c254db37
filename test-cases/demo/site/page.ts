/** The frame of every page of the demo's sites: plain, readable at 1920 pixels, without third-party scripts. */
export function demoPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>
body{font:18px/1.6 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem;color:#223}
label{display:block;margin:.8rem 0 .2rem}input,select,textarea{font:inherit;padding:.4rem;width:22rem}
button{font:inherit;margin-top:1.2rem;padding:.5rem 1.4rem;background:#265;color:#fff;border:0;border-radius:.3rem}
table{border-collapse:collapse}td,th{border:1px solid #bbc;padding:.3rem .8rem;text-align:left}#note{margin-top:1rem}
</style></head><body><h1>${title}</h1>
${body}
</body></html>`;
}
