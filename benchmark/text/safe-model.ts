/** A model's name in paths, as upstream spells it: every run of `/` or `:` becomes `--`. */
export function safeModel(model: string): string {
  return model.replace(/[/:]+/g, '--');
}
