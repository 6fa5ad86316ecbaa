import { mavenVersions } from '#analysis/versions/maven.ts'
import type { MavenConfig } from './maven-config.ts'
import type { Activation, OsActivation, PomProfile } from './pom.ts'

/** The assumed build machine. */
const assumed = { jdk: '17', osName: 'linux', osFamily: 'unix', osArch: 'amd64' }

/** Families that plexus-utils (Os.isFamily) decides by other means than the name of the system. */
const FAMILIES = new Set('windows win9x dos os/2 netware mac tandem unix openvms z/os os/400'.split(' '))

/** System properties that every JVM and Maven set; empty if the value depends on the machine. */
const systemProperties: ReadonlyMap<string, string> = new Map([
  ['java.specification.version', assumed.jdk],
  ['os.name', 'Linux'],
  ['os.arch', assumed.osArch],
  ['file.separator', '/'],
  ['path.separator', ':'],
  ...'java.version java.vendor java.vendor.url java.home java.class.version java.class.path java.io.tmpdir java.vm.name java.vm.vendor java.vm.version java.runtime.name java.runtime.version java.library.path os.version user.name user.home user.dir user.language file.encoding line.separator maven.home maven.version'
    .split(' ')
    .map((name): [string, string] => [name, '']),
])

/** Returns true if the decision may differ on another machine. */
export function dependsOnMachine({ activation }: PomProfile): boolean {
  return activation.jdk !== undefined || activation.os !== undefined || activation.asksForFile
}

export function describeMachine(): string {
  return `JDK ${assumed.jdk} on ${assumed.osName} ${assumed.osArch} without further properties`
}

/** Returns true if all conditions hold; undefined if a file, the environment or the machine decides. */
export function isActivated(activation: Activation, config: MavenConfig): boolean | undefined {
  const { jdk, os, property, asksForFile } = activation
  const conditions = [
    ...(jdk === undefined ? [] : [isJdk(jdk)]),
    ...(os === undefined ? [] : [isOs(os)]),
    ...(property === undefined ? [] : [isProperty(property, config)]),
    ...(asksForFile ? [undefined] : []),
  ]
  if (conditions.length === 0 || conditions.includes(false)) return false
  return conditions.includes(undefined) ? undefined : true
}

/** Matches a version prefix, `!` and a prefix, or a range. */
function isJdk(jdk: string): boolean {
  if (jdk.startsWith('!')) return !assumed.jdk.startsWith(jdk.slice(1))
  if (/^[[(]/.test(jdk)) return mavenVersions.satisfies(assumed.jdk, jdk)
  return assumed.jdk.startsWith(jdk)
}

function isOs({ name, family, arch, version }: OsActivation): boolean {
  const conditions: [expected: string | undefined, matches: (value: string) => boolean][] = [
    [name, (value) => value === assumed.osName],
    [family, isFamily],
    [arch, (value) => value === assumed.osArch],
    [version, () => false],
  ]
  const declared = conditions.filter(([expected]) => expected !== undefined)
  return declared.length > 0 && declared.every(([expected, matches]) => negatable(expected!.toLowerCase(), matches))
}

/** Follows plexus-utils: any other family is part of the name of the system, such as Linux. */
function isFamily(family: string): boolean {
  return FAMILIES.has(family) ? family === assumed.osFamily : assumed.osName.includes(family)
}

function negatable(expected: string, matches: (value: string) => boolean): boolean {
  return expected.startsWith('!') ? !matches(expected.slice(1)) : matches(expected)
}

/** Follows Maven's PropertyProfileActivator: `!` before the name or the value negates. */
function isProperty({ name, value }: NonNullable<Activation['property']>, config: MavenConfig): boolean | undefined {
  const key = name.replace(/^!/, '')
  const configured = config.userProperties.get(key) ?? config.systemProperties.get(key)
  if (configured === undefined && key.startsWith('env.')) return undefined
  const ofSystem = systemProperties.get(key)
  const isSet = (configured ?? ofSystem) !== undefined && configured !== ''
  if (value === undefined) return isSet !== name.startsWith('!')
  if (configured === undefined && ofSystem === '') return undefined
  return negatable(value, (expected) => expected === (configured ?? ofSystem ?? ''))
}
