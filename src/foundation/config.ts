import { type Limits, limits, scaledLimits } from './limits.ts'
import type { Setting } from './setting.ts'
import { settings } from './settings.ts'

type Settings = typeof settings

/** Settings without a default may be absent. */
export type Config = Limits & {
  readonly [K in keyof Settings]:
    | ReturnType<Settings[K]['read']>
    | (Settings[K] extends { fallback: string } ? never : undefined)
}

/** Invalid configuration; the message lists every fault, one per line. */
export class ConfigFaults extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    )
    this.faults = faults
  }
}

/** Reads and validates the whole environment. Throws `ConfigFaults` with all faults at once. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [key, described] of Object.entries(settings) as [string, Setting<unknown>][]) {
    const value = environment[described.env]
    const isUnset = value === undefined || (value === '' && !described.isEmptyAllowed)
    const written = isUnset ? described.fallback : value
    if (written === undefined) continue
    try {
      values[key] = described.read(written)
    } catch (error) {
      const shown = described.isSecret ? '' : ` (it is "${withoutCredentials(written)}")`
      const said = (error as Error).message.replace(/".*"/s, withoutCredentials)
      faults.push(`${described.env} ${said}${shown}`)
    }
  }
  faults.push(...unknownNames(environment))
  const hasKey = environment['AWS_ACCESS_KEY_ID'] && environment['AWS_SECRET_ACCESS_KEY']
  if (values['objectStore'] !== undefined && !hasKey)
    faults.push('GATEHOUSE_OBJECT_STORE needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: set both')
  if (faults.length > 0) throw new ConfigFaults(faults)
  return Object.freeze({
    ...values,
    ...limits,
    ...scaledLimits(values as Parameters<typeof scaledLimits>[0]),
  }) as Config
}

/** Masks passwords in addresses, whatever characters they contain and wherever they occur. */
function withoutCredentials(text: string): string {
  return text.replace(/^("?).*@/s, '$1…@')
}

/** Variables of the client's commands and of the tests. */
const notSettings = ['GATEHOUSE_URL', 'GATEHOUSE_KEY', 'GATEHOUSE_ORG', 'GATEHOUSE_LIVE_TESTS']

/** Returns unknown variables, so that misspelled names are reported instead of ignored. */
function unknownNames(environment: Readonly<Record<string, string | undefined>>): string[] {
  const names = new Set<string>([...Object.values(settings).map(({ env }) => env), ...notSettings])
  return Object.keys(environment)
    .filter((name) => name.startsWith('GATEHOUSE_') && !names.has(name))
    .map((name) =>
      name === 'GATEHOUSE_KNOWN_EXPLOITED'
        ? `${name} was replaced. Name its source in GATEHOUSE_EXPLOIT_SOURCES, or remove it to use the public sources`
        : `${name} is not a setting of this version. Remove it; "gatehouse serve --help" lists the settings`,
    )
}
