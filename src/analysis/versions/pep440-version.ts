import { compareNaturals, compareText, isNumeric, type Natural, toNatural, trimWhere } from './naturals.ts'

export interface PythonVersion {
  readonly epoch: Natural
  /** The written numbers, with trailing zeros. */
  readonly release: readonly Natural[]
  readonly pre: { readonly rank: PreRank; readonly number: Natural } | undefined
  readonly post: Natural | undefined
  readonly dev: Natural | undefined
  readonly local: readonly string[] | undefined
}

/** a, b, rc. */
export type PreRank = 1 | 2 | 3

const DEV_ONLY = 0
const NO_PRE = 4
const PRE_RANKS: Readonly<Record<string, PreRank>> = { a: 1, b: 2, c: 3, r: 3, p: 3 }

/** The pattern of PEP 440's appendix B. */
const VERSION =
  /^v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(alpha|a|beta|b|preview|pre|c|rc)[-_.]?(\d*))?(?:-(\d+)|[-_.]?(?:post|rev|r)[-_.]?(\d*))?(?:[-_.]?dev[-_.]?(\d*))?(?:\+([a-z\d]+(?:[-_.][a-z\d]+)*))?$/i

/** Parses a version by PEP 440's appendix B, ignoring surrounding space. */
export function parsePythonVersion(text: string): PythonVersion | undefined {
  return parseBareVersion(trimPythonSpace(text))
}

/** The same without surrounding space. */
export function parseBareVersion(text: string): PythonVersion | undefined {
  const match = VERSION.exec(text)
  if (match === null) return undefined
  const [, epoch = '', release = '', pre, preNumber = '', dashedPost, post = dashedPost, dev, local] = match
  return {
    epoch: toNatural(epoch),
    release: release.split('.').map(toNatural),
    pre: pre === undefined ? undefined : { rank: PRE_RANKS[pre[0]!.toLowerCase()]!, number: toNatural(preNumber) },
    post: post === undefined ? undefined : toNatural(post),
    dev: dev === undefined ? undefined : toNatural(dev),
    local: local
      ?.toLowerCase()
      .split(/[-_.]/)
      .map((part) => (isNumeric(part) ? toNatural(part) : part)),
  }
}

export function trimPythonSpace(text: string): string {
  return trimWhere(text, isPythonSpace)
}

/** Matches Python's `str.isspace`, which differs slightly from JavaScript's `\s`. */
export function isPythonSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x1f)
  if (code < 0x85) return false
  return code === 0x85 || (code !== 0xfeff && /\s/.test(String.fromCharCode(code)))
}

/** Returns true for versions before their release, including development versions of post-releases. */
export function isPrerelease(version: PythonVersion): boolean {
  return version.pre !== undefined || version.dev !== undefined
}

export function orderVersions(a: PythonVersion, b: PythonVersion): number {
  return orderPublic(a, b) || orderLocals(a.local, b.local)
}

/** Compares without the local part. */
export function orderPublic(a: PythonVersion, b: PythonVersion): number {
  return (
    compareNaturals(a.epoch, b.epoch) ||
    orderReleases(a.release, b.release) ||
    toPreRank(a) - toPreRank(b) ||
    compareNaturals(a.pre?.number ?? '0', b.pre?.number ?? '0') ||
    orderOptional(a.post, b.post, -1) ||
    orderOptional(a.dev, b.dev, 1)
  )
}

export function orderReleases(a: readonly Natural[], b: readonly Natural[]): number {
  const length = Math.max(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const difference = compareNaturals(a[i] ?? '0', b[i] ?? '0')
    if (difference !== 0) return difference
  }
  return 0
}

/** Ranks the pre-release part: `1.0.dev1` is before every alpha; a release after every candidate. */
export function toPreRank({ pre, post, dev }: PythonVersion): number {
  if (pre !== undefined) return pre.rank
  return post === undefined && dev !== undefined ? DEV_ONLY : NO_PRE
}

/** Compares optional numbers. `absent` is -1 if a missing number comes first, 1 if it comes last. */
function orderOptional(a: Natural | undefined, b: Natural | undefined, absent: -1 | 1): number {
  if (a !== undefined && b !== undefined) return compareNaturals(a, b)
  if (a === b) return 0
  return a === undefined ? absent : -absent
}

function orderLocals(a: readonly string[] | undefined, b: readonly string[] | undefined): number {
  if (a === undefined || b === undefined) return (a === undefined ? 0 : 1) - (b === undefined ? 0 : 1)
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = orderLocalParts(a[i]!, b[i]!)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

function orderLocalParts(a: string, b: string): number {
  const isNumber = isNumeric(a)
  if (isNumber !== isNumeric(b)) return isNumber ? 1 : -1
  return isNumber ? compareNaturals(a, b) : compareText(a, b)
}
