import { hasExpression } from './interpolation.ts'

const MAX_REPOSITORIES = 20

/** Returns usable base URLs. Plain http only on the machine itself, as in Maven since 3.8.1. */
export function usableRepositories(urls: readonly string[]): string[] {
  const usable = urls.map((url) => url.replace(/\/+$/, '')).filter(isUsable)
  return [...new Set(usable)].slice(0, MAX_REPOSITORIES)
}

function isUsable(text: string): boolean {
  const url = hasExpression(text) ? null : URL.parse(text)
  if (url === null) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && /^(?:localhost|127\.0\.0\.1)$/.test(url.hostname))
}
