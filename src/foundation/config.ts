import type { Setting } from './setting.ts'
import { settings } from './settings.ts'

type Settings = typeof settings
type Optional = {
  [K in keyof Settings]: Settings[K] extends { read(text: string): infer T } ? T : never
}

/** Settings that may be absent: those without a default. */
type WithoutDefault =
  | 'databaseUrl'
  | 'databaseListenUrl'
  | 'baseUrl'
  | 'adminPassword'
  | 'adminApiKey'
  | 'secretKey'
  | 'knownExploited'
  | 'metricsToken'
  | 'npmRegistry'
  | 'npmToken'
  | 'rubygemsUrl'
  | 'pypiUrl'
  | 'pypiIndexes'
  | 'mavenRepositories'
  | 'outgoingProxy'

export type Config = Readonly<Omit<Optional, WithoutDefault> & { [K in WithoutDefault]: Optional[K] | undefined }>

/** Configuration that cannot be used: every fault, one a line. */
export class ConfigFaults extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    )
    this.faults = faults
  }
}

/** Reads and checks the whole environment. Throws `ConfigFaults` that name every fault at once. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [key, described] of Object.entries(settings) as [string, Setting<unknown>][]) {
    const given = environment[described.env]
    const written = given === undefined || given === '' ? described.fallback : given
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
  if (faults.length > 0) throw new ConfigFaults(faults)
  return Object.freeze(values) as Config
}

/** A password in an address may hold any character, also in a place where no address may have one. */
function withoutCredentials(text: string): string {
  return text.replace(/^("?).*@/s, '$1…@')
}

/** A misspelt name would otherwise be ignored in silence. */
function unknownNames(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set<string>([...Object.values(settings).map(({ env }) => env), 'GATEHOUSE_LIVE_TESTS'])
  return Object.keys(environment)
    .filter((name) => name.startsWith('GATEHOUSE_') && !known.has(name))
    .map((name) => `${name} is not a setting of this version; see "gatehouse serve --help"`)
}
