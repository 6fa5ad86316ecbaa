import type { Defect } from './defect.ts'

const ecosystems = 'src/analysis/ecosystems'

/** Packages that a tool installs and that were not tested. */
export const hiddenPackages: readonly Defect[] = [
  {
    title: 'versions of a lockfile that are none are not reported',
    file: `${ecosystems}/javascript/lock-doubts.ts`,
    text: 'if (version === undefined || isVersion(version)) return undefined\n',
    replacement: 'if (version === undefined || version !== "\\n") return undefined\n',
    tests: [`${ecosystems}/javascript/npm/lying-locks.test.ts`],
  },
  {
    title: 'npm: addresses of lockfileVersion 2 and 3 are not judged',
    file: `${ecosystems}/javascript/npm/locked-package.ts`,
    text: "const address = textOf(entry, 'resolved')?.trim()\n",
    replacement: "const address = textOf(entry, 'resolved not')?.trim()\n",
    tests: [`${ecosystems}/javascript/npm/lying-locks.test.ts`],
  },
  {
    title: 'npm: addresses of lockfileVersion 1 are not judged',
    file: `${ecosystems}/javascript/npm/locked-package.ts`,
    text: "const address = textOf(entry, 'resolved')?.trim() ?? sourceInFrom(name, entry)",
    replacement: 'const address = sourceInFrom(name, entry)',
    tests: [`${ecosystems}/javascript/npm/lying-locks.test.ts`],
  },
  {
    title: 'Yarn 1: addresses are not judged',
    file: `${ecosystems}/javascript/yarn/lock-v1.ts`,
    text: 'if (isName || /^https?:/i.test(address)) {',
    replacement: 'if (isName && address === "") {',
    tests: [`${ecosystems}/javascript/yarn/lying-locks.test.ts`],
  },
  {
    title: 'Yarn: addresses of archives are not judged',
    file: `${ecosystems}/javascript/yarn/lock-berry.ts`,
    text: 'return judgeAddress(stated, target)',
    replacement: 'return plain',
    tests: [`${ecosystems}/javascript/yarn/lying-locks.test.ts`],
  },
  {
    title: 'Yarn: versions of locators are not judged',
    file: `${ecosystems}/javascript/yarn/lock-berry.ts`,
    text: 'return judgeNamed(stated, { name, version: target })',
    replacement: 'return plain',
    tests: [`${ecosystems}/javascript/yarn/lying-locks.test.ts`],
  },
  {
    title: 'pnpm: addresses are not judged',
    file: `${ecosystems}/javascript/pnpm/lock-entry.ts`,
    text: 'return { ...judgeAddress(stated, address), ...plain }',
    replacement: 'return { ...judgeNamed(stated, own), ...plain }',
    tests: [`${ecosystems}/javascript/pnpm/lying-locks.test.ts`],
  },
  {
    title: 'Bun: addresses are not judged',
    file: `${ecosystems}/javascript/bun/bun-lock.ts`,
    text: 'if (address === undefined) return { name, version: resolution, ...fromRegistry, ...common }',
    replacement: 'if (address !== "") return { name, version: resolution, ...fromRegistry, ...common }',
    tests: [`${ecosystems}/javascript/bun/lying-locks.test.ts`],
  },
  {
    title: 'the Python of the markers is not tried',
    file: `${ecosystems}/python/packaging/choose-environment.ts`,
    text: 'if (!isMostlyFor(best, given)) return',
    replacement: 'if (best !== undefined) return',
    tests: [`${ecosystems}/python/packaging/choose-environment.test.ts`],
  },
  {
    title: 'requirements for another Python than the one that was set are clean',
    file: `${ecosystems}/python/packaging/choose-environment.ts`,
    text: 'isMostlyFor(best, chosen) ? [toUnresolved(file, best, chosen)] : []',
    replacement: 'isMostlyFor(best, chosen) ? [] : []',
    tests: [`${ecosystems}/python/packaging/choose-environment.test.ts`],
  },
  ...[
    [
      '.python-version',
      "'.python-version': (content) => firstLine(content)",
      "'.python-version': (content) => firstLine(content && '')",
    ],
    [
      'runtime.txt',
      "'runtime.txt': (content) => firstLine(content)",
      "'runtime.txt': (content) => firstLine(content && '')",
    ],
    ['requires-python', "textIn(project, 'requires-python')", "textIn(project, 'requires-nothing')"],
  ].map(
    ([name, text, replacement]): Defect => ({
      title: `${name} is not read`,
      file: `${ecosystems}/python/packaging/python-of-files.ts`,
      text: text!,
      replacement: replacement!,
      tests: [`${ecosystems}/python/packaging/python-of-files.test.ts`],
    }),
  ),
  {
    title: 'Gradle: unknown plugins are not reported',
    file: `${ecosystems}/jvm/gradle/plugins.ts`,
    text: 'if (seen.has(id) || isQuietPlugin(id)',
    replacement: 'if (id !== "" || seen.has(id) || isQuietPlugin(id)',
    tests: [`${ecosystems}/jvm/gradle/plugins.test.ts`],
  },
  {
    title: 'pip: what is pinned is lost when a limit is reached',
    file: `${ecosystems}/python/resolution/resolve-project.ts`,
    text: 'const chosen = await takeRest(relaxing, failures)',
    replacement: 'const chosen = (await takeRest(relaxing, failures)) && new Map()',
    tests: [`${ecosystems}/python/pip/hostile.test.ts`],
    names: 'more conflicts than the limit',
  },
  {
    title: 'pip: a limit that is reached leaves the result complete',
    file: `${ecosystems}/python/resolution/resolve-project.ts`,
    text: "failures.push({ name: targetName, range: '', code: 'bound-met', reason, requiredBy: targetName })",
    replacement: 'void targetName',
    tests: [`${ecosystems}/python/pip/hostile.test.ts`],
    names: 'more conflicts than the limit',
  },
]
