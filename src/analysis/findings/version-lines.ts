/**
 * Orders newer versions, oldest first, into the lines in which an upgrade is searched: the same minor version, the same
 * major version, then each later major version. In a major version, those without a known vulnerability come first.
 */
export function toLines(current: string, newer: readonly string[], isClean: (version: string) => boolean): string[][] {
  const isSameMinor = (version: string) => minorOf(version) === minorOf(current)
  const majors = Map.groupBy(newer, majorOf)
  const lines = [...majors].flatMap(([major, all]) => {
    const clean = all.filter(isClean)
    return (clean.length === all.length ? [all] : [clean, all]).flatMap((some) => {
      if (major !== majorOf(current)) return [some]
      return [some.filter(isSameMinor), some.filter((version) => !isSameMinor(version))]
    })
  })
  return lines.filter((line) => line.length > 0)
}

/** Returns the smallest upgrade of those that help: the first of the first line. */
export function preferredOf(
  current: string,
  helpful: readonly string[],
  isClean: (version: string) => boolean,
): string | undefined {
  return toLines(current, helpful, isClean)[0]?.[0]
}

export function majorOf(version: string): string {
  return /\d+/.exec(version)?.[0] ?? ''
}

function minorOf(version: string): string {
  return /\d+(?:\.\d+)?/.exec(version)?.[0] ?? ''
}
