import { parseXml, textOf, type XmlSource } from '#analysis/documents/xml.ts'
import type { Unresolved } from '../../dependency-graph.ts'
import type { PomModule } from './pom.ts'

/** The command line of `.mvn` for every build ("Configuring Apache Maven"). */
export interface MavenConfig {
  readonly activated: ReadonlySet<string>
  readonly deactivated: ReadonlySet<string>
  /** `-D` of maven.config: override the properties of POMs. */
  readonly userProperties: ReadonlyMap<string, string>
  /** `-D` of jvm.config: fill in properties that no POM sets. */
  readonly systemProperties: ReadonlyMap<string, string>
  readonly filesRead: readonly string[]
  /** Parts that are not followed. */
  readonly unresolved: readonly Unresolved[]
}

export const noConfig: MavenConfig = collected()

interface ConfigFile extends XmlSource {
  readonly kind: string
}

/** Extensions known not to change a project's dependencies. */
const QUIET =
  /^(?:com\.gradle:(?:gradle-enterprise|develocity|common-custom-user-data)-maven-extension|fr\.jcgay\.maven:.+|[^:]+:[^:]*wagon[^:]*|org\.apache\.maven\.archetype:archetype-packaging|org\.apache\.maven\.extensions:maven-build-cache-extension|io\.takari\.maven:takari-(?:smart-builder|concurrent-local-repository|local-repository)|kr\.motd\.maven:os-maven-plugin)$/

export function readConfig(files: readonly ConfigFile[]): MavenConfig {
  const config = collected()
  for (const file of files) {
    config.filesRead.push(file.kind === 'extensions.xml' ? 'extensions.xml' : file.kind)
    if (file.kind === 'extensions.xml') config.unresolved.push(...extensionsIn(file))
    else readOptions(file, config)
  }
  return config
}

type Collected = ReturnType<typeof collected>

function collected() {
  return {
    activated: new Set<string>(),
    deactivated: new Set<string>(),
    userProperties: new Map<string, string>(),
    systemProperties: new Map<string, string>(),
    filesRead: [] as string[],
    unresolved: [] as Unresolved[],
  }
}

function readOptions({ kind, file, text }: ConfigFile, config: Collected): void {
  const properties = kind === 'jvm.config' ? config.systemProperties : config.userProperties
  for (const { option, value, line } of optionsIn(text)) {
    if (option === 'D') {
      const [, name = '', propertyValue] = /^([^=]*)(?:=([\s\S]*))?$/.exec(value) ?? []
      properties.set(name, propertyValue ?? 'true')
    } else if (option === 'P') {
      for (const id of value.split(',').map((id) => id.trim())) {
        const [, mark, name = ''] = /^([!+-]?)\??(.*)$/.exec(id) ?? []
        if (name !== '') (mark === '!' || mark === '-' ? config.deactivated : config.activated).add(name)
      }
    } else {
      const reason = `${option === 'f' ? 'Another POM is built than the one that was sent' : 'Settings are not read, and their profiles may set properties'}`
      config.unresolved.push(toUnresolved({ file, line, name: `-${option} ${value}`, reason, by: 'maven.config' }))
    }
  }
}

const LONG: Readonly<Record<string, string>> = {
  '--define': 'D',
  '--activate-profiles': 'P',
  '--settings': 's',
  '--global-settings': 'gs',
  '--file': 'f',
}
const OPTION =
  /^(--define|--activate-profiles|--settings|--global-settings|--file)(?:=([\s\S]*))?$|^-(gs|[DPsf])([\s\S]*)$/

interface Option {
  readonly option: string
  readonly value: string
  readonly line: number
}

function optionsIn(text: string): Option[] {
  const words = text.split(/\r?\n/).flatMap((written, at) => {
    if (written.trimStart().startsWith('#')) return []
    const tokens = written.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []
    return tokens.map((word) => ({ word: word.replace(/["']/g, ''), line: at + 1 }))
  })
  const options: Option[] = []
  for (let at = 0; at < words.length; at++) {
    const { word, line } = words[at]!
    const [, long, afterLong, short, afterShort] = OPTION.exec(word) ?? []
    const option = long === undefined ? short : LONG[long]
    if (option === undefined) continue
    const inlineValue = afterLong ?? (afterShort === '' ? undefined : afterShort)
    const value = inlineValue ?? words[++at]?.word ?? ''
    options.push({ option, value: value.replace(/^=/, ''), line })
  }
  return options
}

function extensionsIn({ file, ...source }: ConfigFile): Unresolved[] {
  const extensions = parseXml({ file, ...source }).children.map((extension) => ({
    path: ['groupId', 'artifactId'].map((tag) => textOf(extension, tag) ?? '').join(':'),
    place: { file, line: extension.line },
  }))
  return listUnknownExtensions(extensions, 'extensions.xml')
}

/** Returns the extensions of a build that may change its dependencies. */
export function listUnknownExtensions(extensions: readonly PomModule[], by: string): Unresolved[] {
  const reason = 'This build extension may add dependencies'
  return extensions
    .filter(({ path }) => !QUIET.test(path))
    .map(({ path: name, place }) => toUnresolved({ file: 'target', line: undefined, ...place, name, reason, by }))
}

function toUnresolved({
  file,
  line,
  name,
  reason,
  by,
}: {
  file: XmlSource['file']
  line: number | undefined
  name: string
  reason: string
  by: string
}): Unresolved {
  const where = file === 'target' ? {} : { file: `additional file ${file + 1}` }
  return { name, range: '*', code: 'not-static', reason, requiredBy: by, ...(line !== undefined && { line }), ...where }
}
