import type { Manifest } from '../../../src/analysis/ecosystems/ecosystem.ts'
import { digestOf, type SyntheticPackage } from './packages.ts'

const integrityOf = ({ name, version }: SyntheticPackage) =>
  `sha512-${digestOf(`${name}@${version}`, 'sha512', 'base64')}`

function packageJson(packages: readonly SyntheticPackage[]): string {
  const dependencies = Object.fromEntries(rangesOf(packages.filter(({ isDirect }) => isDirect)))
  return JSON.stringify({ name: 'synthetic', version: '1.0.0', dependencies }, null, 2)
}

function rangesOf(packages: readonly SyntheticPackage[]): [name: string, range: string][] {
  return packages.map(({ name, version }) => [name, `^${version}`])
}

/** A pnpm-lock.yaml of version 9, as pnpm 9 to 12 write it. */
export function pnpmLock(packages: readonly SyntheticPackage[]): Manifest {
  const direct = packages.filter(({ isDirect }) => isDirect)
  const lines = [
    "lockfileVersion: '9.0'",
    '\nsettings:\n  autoInstallPeers: true\n  excludeLinksFromLockfile: false',
    '\nimporters:\n\n  .:\n    dependencies:',
    ...direct.map(({ name, version }) => `      ${name}:\n        specifier: ^${version}\n        version: ${version}`),
    '\npackages:',
    ...packages.map(
      (syntheticPackage) =>
        `\n  ${syntheticPackage.name}@${syntheticPackage.version}:\n    resolution: {integrity: ${integrityOf(syntheticPackage)}}\n    engines: {node: '>=14'}`,
    ),
    '\nsnapshots:',
    ...packages.map(({ name, version, requires }) => {
      if (requires.length === 0) return `\n  ${name}@${version}: {}`
      const needs = requires.map((require) => `\n      ${require.name}: ${require.version}`).join('')
      return `\n  ${name}@${version}:\n    dependencies:${needs}`
    }),
  ]
  return { target: packageJson(packages), additional: [`${lines.join('\n')}\n`] }
}

/** A bun.lock, with the trailing commas that Bun writes. */
export function bunLock(packages: readonly SyntheticPackage[]): Manifest {
  const direct = rangesOf(packages.filter(({ isDirect }) => isDirect))
  const entries = packages.map((syntheticPackage) => {
    const { name, version, requires } = syntheticPackage
    const about =
      requires.length === 0 ? '{}' : `{ "dependencies": ${JSON.stringify(Object.fromEntries(rangesOf(requires)))} }`
    return `    "${name}": ["${name}@${version}", "", ${about}, "${integrityOf(syntheticPackage)}"],\n`
  })
  const lock = [
    '{\n  "lockfileVersion": 1,\n  "workspaces": {\n    "": {\n      "name": "synthetic",\n      "dependencies": {\n',
    ...direct.map(([name, range]) => `        "${name}": "${range}",\n`),
    '      },\n    },\n  },\n  "packages": {\n',
    entries.join('\n'),
    '  }\n}\n',
  ]
  return { target: packageJson(packages), additional: [lock.join('')] }
}
