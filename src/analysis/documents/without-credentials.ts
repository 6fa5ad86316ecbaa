/**
 * Removes possible secrets: user names and passwords of URLs, and query strings (some hosts take tokens there). Applied
 * to all repeated text of a manifest.
 */
export function withoutCredentials(text: string): string {
  if (!text.includes('://')) return text
  return text
    .replace(/:\/\/([^/?#\s]*)@/g, (_, user: string) => (user === 'git' ? '://git@' : '://'))
    .replace(/\?[^#\s]*/g, '')
}
