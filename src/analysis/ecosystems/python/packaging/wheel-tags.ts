import type { PythonPlatform } from '#analysis/ecosystems/python-target.ts'
import type { PythonEnvironment } from './environment.ts'
import type { WheelTags } from './file-name.ts'

/** Minor version of the newest supported C library, and the newest macOS. */
const GLIBC_MINOR = 41
const MACOS_MAJOR = 15
const OLD_GLIBC: Readonly<Record<string, number>> = {
  manylinux1_x86_64: 5,
  manylinux2010_x86_64: 12,
  manylinux2014_x86_64: 17,
}

/**
 * Returns the rank of a wheel for an interpreter (PEP 425, in the order of `packaging.tags`): smaller is better,
 * undefined if it does not run there.
 */
export function rankWheel({ pythons, abis, platforms }: WheelTags, environment: PythonEnvironment): number | undefined {
  let best: number | undefined
  for (const python of pythons) {
    for (const abi of abis) {
      for (const platform of platforms) {
        const rank = rankTag({ python, abi, platform }, environment)
        if (rank !== undefined && (best === undefined || rank < best)) best = rank
      }
    }
  }
  return best
}

function rankTag(
  { python, abi, platform }: { python: string; abi: string; platform: string },
  { major, minor, target }: PythonEnvironment,
): number | undefined {
  const platformRank = platform === 'any' ? 0 : rankPlatform(platform, target.platform)
  if (platformRank === undefined) return undefined
  const interpreter = rankInterpreter(python, abi, { major, minor })
  if (interpreter === undefined) return undefined
  if (platform !== 'any') return interpreter * 1_000 + platformRank
  // Pure wheels come after all platform-specific ones.
  return abi === 'none' ? 1_000_000 + interpreter : undefined
}

function rankInterpreter(python: string, abi: string, { major, minor }: { major: number; minor: number }) {
  const match = /^(cp|py)(\d)(\d*)$/.exec(python)
  if (match === null || Number(match[2]) !== major) return undefined
  const [, kind, , minorText] = match
  const tagMinor = minorText === '' ? undefined : Number(minorText)
  if (kind === 'cp') {
    const isOwn = tagMinor === minor
    // Before Python 3.8 ABI names ended in m or mu.
    if (isOwn && new RegExp(`^cp${major}${minor}(?:mu|m)?$`).test(abi)) return 0
    if (isOwn && abi === 'abi3') return 1
    if (isOwn && abi === 'none') return 2
    const isOlder = tagMinor !== undefined && tagMinor >= 2 && tagMinor < minor
    return isOlder && abi === 'abi3' && major === 3 ? 3 + minor - tagMinor : undefined
  }
  if (abi !== 'none') return undefined
  if (tagMinor === minor) return 200
  if (tagMinor === undefined) return 201
  return tagMinor < minor ? 201 + minor - tagMinor : undefined
}

function rankPlatform(platform: string, on: PythonPlatform): number | undefined {
  if (on === 'windows') return platform === 'win_amd64' ? 0 : undefined
  if (on === 'macos') return rankMac(platform)
  if (platform === 'linux_x86_64') return 999
  const glibc = OLD_GLIBC[platform] ?? Number(/^manylinux_2_(\d{1,3})_x86_64$/.exec(platform)?.[1] ?? Number.NaN)
  return glibc <= GLIBC_MINOR ? GLIBC_MINOR - glibc : undefined
}

function rankMac(platform: string): number | undefined {
  const match = /^macosx_(\d{1,2})_(\d{1,2})_(arm64|universal2)$/.exec(platform)
  if (match === null) return undefined
  const [major, minor] = [Number(match[1]), Number(match[2])]
  if (major > MACOS_MAJOR || (major < 11 && match[3] === 'arm64')) return undefined
  return (MACOS_MAJOR - major) * 40 + (major === 10 ? 20 - Math.min(minor, 20) : 0) + (match[3] === 'arm64' ? 0 : 1)
}
