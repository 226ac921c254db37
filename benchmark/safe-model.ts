/** A model's name in paths (upstream.md 3.8): every run of `/` or `:` becomes `--`. */
export function safeModel(model: string): string {
  return model.replace(/[/:]+/g, '--');
}
