import { hexVersions } from '#analysis/versions/hex.ts'
import type { Ecosystem } from '../../ecosystem.ts'

export const hex = {
  id: 'hex',
  label: 'Hex',
  language: 'elixir',
  packageManager: 'hex',
  registry: 'Hex',
  versions: hexVersions,
  manifestName: /^(?:mix|rebar)\.lock$/,
  fixAdvice: 'upgrade',
  takesRepositories: false,
  about: 'Of mix.exs and rebar.config, what they declare literally is read; send each mix.exs of an umbrella project.',
  raiseRange(written, version) {
    const [, operator = '', gap = '', old] = /^\s*(~>|>=|==|)(\s*)(\d[^\s]*)\s*$/.exec(written) ?? []
    if (old === undefined) return undefined
    const isShort = operator === '~>' && /^\d+\.\d+$/.test(old)
    if (!isShort) return `${operator}${gap}${version}`
    return `~>${gap}${/^\d+\.\d+/.exec(version)![0]} and >= ${version}`
  },
  async read(manifest, _, options) {
    const { readHex } = await import('./read-hex.ts')
    return readHex(manifest, options)
  },
  async locate(manifest) {
    const { locateHex } = await import('./locate.ts')
    return locateHex(manifest)
  },
} satisfies Ecosystem
