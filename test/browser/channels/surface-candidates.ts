/** Selects the names of a browser's APIs that could mean a request, by the words in them. Pure, and generous: a false positive costs one look. */
export interface Surface {
  /** What a page can reach. */
  readonly names: readonly string[];
  /** DevTools commands, `Domain.command`. */
  readonly commands: readonly string[];
  /** Feature switches of the binary. */
  readonly features: readonly string[];
}

/** Words of the web platform for something that is sent, or for a sender. */
const NAMES =
  /fetch|beacon|socket|transport|request|prefetch|preload|prerender|speculat|worker|worklet|syncm|\.sync|periodicsync|push|rtc|stream(?!s)|eventsource|\bxml|report|share|payment|credential|identity|federat|protocolhandler|attribution|auction|interestgroup|topic|trusttoken|storageaccess|presentation|remoteplayback|cast|fence|portal|download|upload|navigation|navigate|cookie|cache|languagemodel|translator|summarizer|writer|detector|install|nfc|usb|serial|bluetooth|hid\b|url|uri|src|href|ping|\.action$|poster|\.data$/i;
const COMMANDS =
  /load|fetch|request|navigat|proxy|download|replay|send|dispatch|trigger|open|create|attach|connect|bind|install|launch|import|report|auction|interest|attribut|syncm|\.sync|periodicsync|push|prefetch|prerender|prewarm|expose|remote|crash|close|setAutoAttach|intercept|extension/i;
const FEATURES =
  /fetch|beacon|websocket|webtransport|prefetch|preload|prerender|preconnect|speculation|paymentapp|boundsession|fedcm|reporting|networkerrorlogging|attribution|interestgroup|fledge|sharedstorage|backgroundsyncm|\.sync|periodicsync|pushmessag|directsocket|webbundle|signedexchange|relatedwebsite|firstpartyset|wellknown|pings?$|autopreload|racenetwork|dictionarytransport|webinstall|linkpreview|searchprefetch|directsockets/i;

/** Sorted, each with its source: `page fetchLater`, `command Page.navigate`, `feature BackgroundFetch`. */
export function candidatesOf(surface: Surface): string[] {
  return [
    ...surface.names.filter((name) => NAMES.test(name)).map((name) => `page ${name}`),
    ...surface.commands.filter((name) => COMMANDS.test(name)).map((name) => `command ${name}`),
    ...surface.features.filter((name) => FEATURES.test(name)).map((name) => `feature ${name}`),
  ].sort();
}
