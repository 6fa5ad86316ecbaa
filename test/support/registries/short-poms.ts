/**
 * A POM in few words. Dependencies are written `group:artifact:version` (no version: `group:artifact`), followed by what
 * else there is to say: `scope=test`, `type=pom`, `classifier=x`, `optional`, `exclude=g:a,g:*`.
 */
export interface ShortPom {
  readonly parent?: string
  readonly packaging?: string
  readonly properties?: Readonly<Record<string, string>>
  readonly dependencies?: readonly string[]
  readonly managed?: readonly string[]
  readonly modules?: readonly string[]
  readonly repositories?: readonly string[]
  readonly licenses?: readonly string[]
  /** `group:artifact:version`; an empty part stays as it is. */
  readonly relocation?: string
  readonly profiles?: Readonly<Record<string, ShortProfile>>
}

export interface ShortProfile extends Omit<ShortPom, 'profiles' | 'parent'> {
  /** The children of `<activation>`, as XML. */
  readonly activation?: string
}

/** The XML of a POM; an empty part of the coordinates is left out. */
export function toPomXml(coordinates: string, pom: ShortPom = {}): string {
  const profiles = Object.entries(pom.profiles ?? {}).map(
    ([id, { activation = '', ...rest }]) =>
      `<profile>${element('id', id)}${element('activation', activation)}${base(rest)}</profile>`,
  )
  const parts = [
    '<modelVersion>4.0.0</modelVersion>',
    pom.parent === undefined ? '' : `<parent>${gav(pom.parent)}</parent>`,
    gav(coordinates),
    element('packaging', pom.packaging),
    base(pom),
    block('profiles', profiles),
    block(
      'licenses',
      (pom.licenses ?? []).map((name) => `<license>${element('name', name)}</license>`),
    ),
    pom.relocation === undefined
      ? ''
      : `<distributionManagement><relocation>${gav(pom.relocation)}</relocation></distributionManagement>`,
  ]
  return `<project>\n${parts.filter((part) => part !== '').join('\n')}\n</project>\n`
}

function base(pom: Omit<ShortPom, 'profiles' | 'parent'>): string {
  const properties = Object.entries(pom.properties ?? {}).map(([name, value]) => element(name, value))
  const managed = block('dependencies', (pom.managed ?? []).map(dependency))
  const repositories = (pom.repositories ?? []).map(
    (url, index) => `<repository><id>r${index}</id>${element('url', url)}</repository>`,
  )
  return [
    block('properties', properties),
    block(
      'modules',
      (pom.modules ?? []).map((module) => element('module', module)),
    ),
    block('repositories', repositories),
    managed === '' ? '' : `<dependencyManagement>${managed}</dependencyManagement>`,
    block('dependencies', (pom.dependencies ?? []).map(dependency)),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

function dependency(text: string): string {
  const [coordinates = '', ...words] = text.split(' ')
  const said = words.map((word) => {
    const [key, value = 'true'] = word.split('=')
    return key === 'exclude'
      ? block(
          'exclusions',
          value.split(',').map((exclusion) => `<exclusion>${gav(exclusion)}</exclusion>`),
        )
      : element(key!, value)
  })
  return `<dependency>${gav(coordinates)}${said.join('')}</dependency>`
}

function gav(text: string): string {
  // A version may hold colons in an expression, never in a part before it.
  const [group, artifact, ...version] = text.split(':')
  return element('groupId', group) + element('artifactId', artifact) + element('version', version.join(':'))
}

function element(name: string, value: string | undefined): string {
  return value === undefined || value === '' ? '' : `<${name}>${value}</${name}>`
}

function block(name: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `<${name}>${items.join('\n')}</${name}>`
}
