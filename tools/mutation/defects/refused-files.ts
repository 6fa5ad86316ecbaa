import type { Defect } from './defect.ts'

const kinds = 'src/analysis/discovery/file-kinds'
const ecosystems = 'src/analysis/ecosystems'

/** Files that were read as projects although they are none, or none of that tool. */
export const refusedFiles: readonly Defect[] = [
  {
    title: 'base64 without its encoding is read as a script',
    file: `${kinds}/mangled.ts`,
    text: 'return findMerge(text) ?? findBase64(text)',
    replacement: 'return findMerge(text) ?? (text === "" ? findBase64(text) : undefined)',
    tests: ['src/features/package-tests/file-kinds.test.ts'],
    names: 'refuses base64',
  },
  {
    title: 'a page of HTML is not known as one',
    file: `${kinds}/xml-kinds.ts`,
    text: '<(?:!doctype\\s+html|html|head|body)\\b',
    replacement: '<(?:!doctype\\s+nothing)\\b',
    tests: [`${kinds}/file-kinds.test.ts`],
    names: '^html',
  },
  {
    title: 'a build.xml of Ant is read as a POM',
    file: `${kinds}/xml-kinds.ts`,
    text: "if (root.name !== 'project') return false",
    replacement: "if (root.name === 'project') return true",
    tests: [`${kinds}/file-kinds.test.ts`],
    names: '^build.xml',
  },
  {
    title: 'Yarn reads a package-lock.json',
    file: `${kinds}/read-kinds.ts`,
    text: "additional: ['package.json', 'yarn.lock', '.yarnrc.yml']",
    replacement: "additional: ['package.json', 'yarn.lock', '.yarnrc.yml', 'package-lock.json']",
    tests: [`src/features/package-tests/file-kinds.test.ts`],
    names: 'yarn: refuses a package-lock.json',
  },
  {
    title: 'Gradle reads a pom.xml',
    file: `${kinds}/read-kinds.ts`,
    text: "target: ['build.gradle', 'gradle.lockfile', 'libs.versions.toml']",
    replacement: "target: ['build.gradle', 'gradle.lockfile', 'libs.versions.toml', 'pom.xml']",
    tests: [`src/features/package-tests/file-kinds.test.ts`],
    names: 'gradle: refuses a pom.xml',
  },
  {
    title: 'an empty file is read as requirements',
    file: `${kinds}/identify-files.ts`,
    text: 'throw unidentified(sent, outline, expected)',
    replacement: "if (outline.form === 'blank') return accepted[0]!\n    throw unidentified(sent, outline, expected)",
    tests: [`src/features/package-tests/file-kinds.test.ts`],
    names: 'pip: refuses every kind .* as the target',
  },
  {
    title: 'the advice names no route for a file of another tool',
    file: `${kinds}/identify-files.ts`,
    text: "if (asTarget.length > 0) return `Send it to ${asTarget.join(' or ')}.`",
    replacement: 'if (asTarget.length > 99) return ""',
    tests: [`src/features/package-tests/file-kinds.test.ts`],
    names: 'npm: refuses a ',
  },
  {
    title: 'a lone lock of Gradle without modules is clean',
    file: `${ecosystems}/jvm/gradle/lone-files.ts`,
    text: 'if (locked.length === 0 && !/^empty=/m.test(text))',
    replacement: 'if (locked.length > 1e9)',
    tests: ['src/features/package-tests/gradle.test.ts'],
    names: 'Gradle lockfile without entries',
  },
  {
    title: 'lines of a lock of Gradle that are no modules are passed over',
    file: `${ecosystems}/jvm/gradle/lockfile.ts`,
    text: "if (written === '' || written.startsWith('#') || module.test(written)",
    replacement: "if (written !== '#' || module.test(written)",
    tests: ['src/features/package-tests/gradle.test.ts'],
    names: 'Gradle lockfile alone',
  },
  {
    title: 'a lock of Gradle that lost its end is whole',
    file: `${ecosystems}/jvm/gradle/lockfile.ts`,
    text: 'if (isOfOne || !text.startsWith(HEADER) || /^empty=/m.test(text)) return found',
    replacement: 'if (isOfOne || text.startsWith(HEADER) || /^empty=/m.test(text)) return found',
    tests: ['src/features/package-tests/gradle.test.ts'],
    names: 'Gradle lockfile',
  },
  {
    title: 'a lone version catalog is clean',
    file: `${ecosystems}/jvm/gradle/lone-files.ts`,
    text: 'const aliases = isTable(libraries) ? Object.keys(libraries) : []',
    replacement: 'const aliases = isTable(libraries) ? Object.keys({}) : []',
    tests: ['src/features/package-tests/gradle.test.ts'],
    names: 'version catalog alone',
  },
  {
    title: 'a result does not say that its files declare nothing',
    file: 'src/scanning/results/coverage.ts',
    text: '...(declaresNone(reading, context) && { declaresNone: true }),',
    replacement: '...(declaresNone(reading, context) && {}),',
    tests: ['src/features/package-tests/file-kinds.test.ts'],
    names: 'a target declares no dependencies',
  },
]
