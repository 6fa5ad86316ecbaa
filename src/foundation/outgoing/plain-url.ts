// Labels, with at most one dot behind them; the URL standard allows more (URL Living Standard, "Host parsing").
const NAME_OF_LABELS = /^[^.]+(?:\.[^.]+)*\.?$/

/**
 * A URL whose host has the one spelling in which hosts are compared, remembered and dialled. The URL standard sees to case,
 * percent-encoding, other alphabets and odd forms of addresses; the dot that may end a name is left to us. Undefined for
 * text that is no URL, and for hosts with empty labels: programs disagree on what `127.0.0.1..` means.
 */
export function parsePlainUrl(text: string, base?: string): URL | undefined {
  const url = URL.parse(text, base)
  if (url === null) return undefined
  if (url.hostname === '' || url.hostname.startsWith('[')) return url
  if (!NAME_OF_LABELS.test(url.hostname)) return undefined
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  return url
}
