import fc from 'fast-check'
import type { MavenContent } from '../registries/maven-content.ts'
import type { ShortPom } from '../registries/short-poms.ts'

export interface RandomProject {
  /** The POM of `g:project:1`. */
  readonly target: ShortPom
  readonly content: MavenContent
}

const VERSIONS = ['1', '2', '3']
const names = Array.from({ length: 9 }, (_, index) => `p${index}`)

/** A project and a repository of nine packages in three versions each, which need one another in every documented way. */
export function randomMavenProject(circles: 'none' | 'some'): fc.Arbitrary<RandomProject> {
  const version = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...VERSIONS) },
    { weight: 1, arbitrary: fc.constantFrom('[1,3)', '[2]', '[2,)', '(,2]', '[1,1],[3,3]', `\${v}`) },
  )
  const scope = fc.constantFrom('', '', '', '', ' scope=test', ' scope=runtime', ' scope=provided')
  const exclusion = fc.constantFrom(
    '',
    '',
    '',
    '',
    ...names.slice(0, 4).map((name) => ` exclude=g:${name}`),
    ' exclude=*:p5',
  )
  const optional = fc.constantFrom('', '', '', '', '', ' optional')
  const name = fc.constantFrom(...names)
  const dependency = fc
    .tuple(name, version, scope, exclusion, optional)
    .map(([artifact, range, ...rest]) => `g:${artifact}:${mayMove(artifact) ? toOne(range) : range}${rest.join('')}`)
  const managed = fc
    .tuple(name, fc.constantFrom(...VERSIONS), scope, exclusion)
    .map(([artifact, range, ...rest]) => `g:${artifact}:${range}${rest.join('')}`)
  const open = name.map((artifact) => `g:${artifact}`)
  const bom = fc.constantFrom('g:bom-one:1 type=pom scope=import', 'g:bom-two:1 type=pom scope=import')
  const properties = fc.constantFrom(...VERSIONS).map((v) => ({ v }))
  const unique = { selector: artifactOf, maxLength: 4 }
  const pom = fc.record({
    properties,
    dependencies: fc.uniqueArray(dependency, unique),
    managed: fc.uniqueArray(managed, { ...unique, maxLength: 2 }),
  })
  const target = fc
    .record({
      properties,
      dependencies: fc.uniqueArray(fc.oneof({ weight: 6, arbitrary: dependency }, { weight: 1, arbitrary: open }), {
        ...unique,
        minLength: 1,
      }),
      managed: fc.uniqueArray(managed, unique),
      imports: fc.uniqueArray(bom, { maxLength: 2 }),
      hasParent: fc.boolean(),
    })
    .map(({ imports, hasParent, ...rest }) => ({
      ...rest,
      managed: [...rest.managed, ...imports],
      ...(hasParent ? { parent: 'g:parent:1' } : {}),
    }))
  const coordinates = names.flatMap((artifact) => VERSIONS.map((version) => `g:${artifact}:${version}`))
  const packages = fc.tuple(
    ...coordinates.map((coordinate) =>
      published(pom, coordinate).map((made) => (circles === 'none' ? withoutCircles(made, coordinate) : made)),
    ),
  )
  const above = fc.record({
    packaging: fc.constant('pom'),
    properties,
    dependencies: fc.uniqueArray(dependency, { ...unique, maxLength: 1 }),
    managed: fc.uniqueArray(managed, { ...unique, maxLength: 3 }),
  })
  const boms = fc.tuple(
    ...[1, 2].map(() =>
      fc.record({
        packaging: fc.constant('pom'),
        managed: fc.uniqueArray(managed, { ...unique, maxLength: 6 }),
      }),
    ),
  )
  return fc.tuple(target, packages, above, boms).map(([root, poms, parent, imports]) => ({
    target: root,
    content: {
      ...Object.fromEntries(coordinates.map((coordinate, index) => [coordinate, poms[index]!])),
      'g:parent:1': parent,
      ...Object.fromEntries(imports.map((bom, index) => [`g:bom-${index === 0 ? 'one' : 'two'}:1`, bom])),
    },
  }))
}

/**
 * Relocates some packages to the next name, never back, and without ranges: in a range Maven considers no version
 * beyond the first relocated one.
 */
function published(pom: fc.Arbitrary<ShortPom>, coordinates: string): fc.Arbitrary<ShortPom> {
  const [, artifact = '', version] = coordinates.split(':')
  if (!mayMove(artifact)) return pom
  const relocation = `g:${names[names.indexOf(artifact) + 1]}:${version}`
  return fc.oneof({ weight: 9, arbitrary: pom }, { weight: 1, arbitrary: fc.constant({ relocation }) })
}

function mayMove(artifact: string): boolean {
  return artifact === 'p2' || artifact === 'p4' || artifact === 'p6'
}

function toOne(version: string): string {
  return /\d/.exec(version)?.[0] ?? version
}

/** Only what comes later in the list of names. */
function withoutCircles(pom: ShortPom, coordinates: string): ShortPom {
  const own = artifactOf(coordinates)
  const dependencies = pom.dependencies?.filter((dependency) => artifactOf(dependency) > own)
  return dependencies === undefined ? pom : { ...pom, dependencies }
}

function artifactOf(dependency: string): string {
  return dependency.split(' ')[0]!.split(':')[1]!
}
