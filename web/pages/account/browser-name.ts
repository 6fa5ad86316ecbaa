const browsers: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
]

const systems: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]

/** Names the browser of a `User-Agent` header: `Firefox on Linux`. */
export function browserName(userAgent: string): string {
  const nameIn = (choices: typeof browsers) => choices.find(([, pattern]) => pattern.test(userAgent))?.[0]
  const [browser, system] = [nameIn(browsers) ?? 'Unknown browser', nameIn(systems)]
  return system === undefined ? browser : `${browser} on ${system}`
}
