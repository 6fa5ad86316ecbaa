const units = ['bytes', 'kB', 'MB', 'GB'] as const

/** Formats a size: `12.3 MB`. */
export function formatSize(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const value = bytes / 1000 ** power
  return `${value.toLocaleString(undefined, { maximumFractionDigits: power === 0 ? 0 : 1 })} ${units[power]}`
}
