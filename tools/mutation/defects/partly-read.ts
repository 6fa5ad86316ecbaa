import type { Defect } from './defect.ts'

const ecosystems = 'src/analysis/ecosystems'
const unusedPoms = ['src/analysis/ecosystems/jvm/unused-poms.test.ts', 'src/features/package-tests/maven.test.ts']
const unfollowed = [`${ecosystems}/jvm/sbt/unfollowed-keys.test.ts`, 'src/features/package-tests/sbt.test.ts']
const otherPaths = [`${ecosystems}/go/govendor/other-paths.test.ts`]

/** Builds and vendored code of which a part was not tested, and results that did not say so. */
export const partlyRead: readonly Defect[] = [
  {
    title: 'a second block of dependencies in a POM is ignored',
    file: 'src/analysis/ecosystems/jvm/strict-pom.ts',
    text: 'if (seen.has(name)) throw fault(',
    replacement: "if (seen.has(name) && name !== 'dependencies') throw fault(",
    tests: ['src/analysis/ecosystems/jvm/strict-pom.test.ts'],
  },
  {
    title: 'the subprojects of Maven 4.1 are ignored',
    file: 'src/analysis/ecosystems/jvm/pom.ts',
    text: ", ...listOf(element, 'subprojects', 'subproject')",
    replacement: '',
    tests: ['src/analysis/ecosystems/jvm/strict-pom.test.ts', `${ecosystems}/places.test.ts`],
  },
  {
    title: 'Maven: POMs that the build does not use count as read',
    file: 'src/analysis/ecosystems/jvm/maven/project.ts',
    text: '.filter((pom) => sent.used.has(pom))',
    replacement: '.filter(() => true)',
    tests: unusedPoms,
  },
  {
    title: 'Maven: a system file of unknown coordinates counts as resolved',
    file: 'src/analysis/ecosystems/jvm/candidate.ts',
    text: "if (dependency.scope === 'system') return findOnMachine(coordinates, builder)",
    replacement: "if (dependency.scope === 'system' && version === '') return findOnMachine(coordinates, builder)",
    tests: unusedPoms,
  },
  {
    title: 'two packages of a lockfile may share an archive',
    file: `${ecosystems}/javascript/shared-archives.ts`,
    text: 'else if (other.name !== own.name || !isSameVersion(other.version, own.version)) {',
    replacement: 'else if (digest === "") {',
    tests: [`${ecosystems}/javascript/npm/lying-locks.test.ts`],
  },
  {
    title: 'requirements that are all for another Python are clean',
    file: 'src/scanning/reading/read-subject.ts',
    text: 'return { ...reading, unresolved: [...unresolved, entry] }',
    replacement: 'return entry === undefined ? { ...reading, unresolved } : reading',
    tests: ['src/features/package-tests/all-excluded.test.ts'],
  },
  {
    title: 'sbt: a project of another build counts as read',
    file: `${ecosystems}/jvm/sbt/externals.ts`,
    text: "called.startsWith('ProjectRef') && values.length > 1",
    replacement: "called.startsWith('ProjectRef') && values.length > 9",
    tests: unfollowed,
  },
  {
    title: 'sbt: jars outside of repositories are not reported',
    file: `${ecosystems}/jvm/sbt/unfollowed-keys.ts`,
    text: "const JARS = ['unmanagedJars', 'unmanagedBase', 'unmanagedClasspath']",
    replacement: 'const JARS: string[] = []',
    tests: unfollowed,
  },
  {
    title: 'sbt: ivyXML is not reported',
    file: `${ecosystems}/jvm/sbt/unfollowed-keys.ts`,
    text: "'ivyXML allDependencies",
    replacement: "'allDependencies",
    tests: unfollowed,
  },
  {
    title: 'Go: a vendored path in another case misses its advisories',
    file: `${ecosystems}/go/govendor/read-vendored.ts`,
    text: 'if (lower === repository || !/',
    replacement: 'if (lower !== undefined || !/',
    tests: otherPaths,
  },
  {
    title: 'Go: the repository that a vendored package was copied from is not tested',
    file: `${ecosystems}/go/govendor/read-vendored.ts`,
    text: 'return isFork ? [own, { ...vendored, path: origin, origin: undefined }] : [own]',
    replacement: 'return isFork ? [own] : [own]',
    tests: otherPaths,
  },
  {
    title: 'a missing pin is counted twice',
    file: 'src/scanning/results/coverage.ts',
    text: 'for (const { package: found } of graph.nodes) missing.delete(toKey(found.name, found.version))',
    replacement: 'for (const { package: found } of graph.nodes) toKey(found.name, found.version)',
    tests: ['src/scanning/results/result.test.ts', 'src/features/package-tests/pip.test.ts'],
  },
  {
    title: 'package URLs of npm lose their capitals',
    file: 'src/analysis/registries/package-url.ts',
    text: "return registry === 'npm' || registry === 'Go' ? name.split('/') : [name]",
    replacement: "return registry === 'npm' || registry === 'Go' ? name.toLowerCase().split('/') : [name]",
    tests: ['src/analysis/registries/package-url.test.ts'],
  },
]
