// Labels with at most one final dot; the URL standard allows more (URL Living Standard, "Host parsing").
const NAME_OF_LABELS = /^[^.]+(?:\.[^.]+)*\.?$/

/**
 * Parses a URL and normalizes its host to the one spelling used for comparing, caching and dialing. The URL standard
 * handles case, percent-encoding, other alphabets and odd addresses; we handle the final dot. Undefined for invalid
 * URLs and hosts with empty labels: programs disagree on `127.0.0.1..`.
 */
export function parsePlainUrl(text: string, base?: string): URL | undefined {
  const url = URL.parse(text, base)
  if (url === null) return undefined
  if (url.hostname === '' || url.hostname.startsWith('[')) return url
  if (!NAME_OF_LABELS.test(url.hostname)) return undefined
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  return url
}
