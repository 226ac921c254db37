/** `host:port` or `[v6]:port` → its parts, null when it is neither. */
export function splitHostPort(text: string): { readonly host: string; readonly port: number } | null {
  const parts = /^(\[[0-9a-f:.]+\]|[^\s:/[\]]+):(\d{1,5})$/i.exec(text);
  const port = Number(parts?.[2]);
  if (parts?.[1] === undefined || port < 1 || port > 65535) return null;
  return { host: parts[1], port };
}
