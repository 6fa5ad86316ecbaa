import type { Manifest } from '../../../src/analysis/ecosystems/ecosystem.ts'
import { digestOf, type SyntheticPackage } from './packages.ts'

const moduleOf = ({ name }: SyntheticPackage) => `git.example/owner/${name}`

function goMod(packages: readonly SyntheticPackage[]): string {
  const line = (syntheticPackage: SyntheticPackage) =>
    `\t${moduleOf(syntheticPackage)} v0.${syntheticPackage.version.slice(2)}${syntheticPackage.isDirect ? '' : ' // indirect'}`
  return ['module git.example/synthetic', '', 'go 1.99', '', 'require (', ...packages.map(line), ')', ''].join('\n')
}

/** A go.mod that lists every module, with its go.sum. */
export function goSum(packages: readonly SyntheticPackage[]): Manifest {
  const lines = packages.flatMap((syntheticPackage) =>
    ['', '/go.mod'].map(
      (part) =>
        `${moduleOf(syntheticPackage)} v0.${syntheticPackage.version.slice(2)}${part} h1:${digestOf(syntheticPackage.name + part, 'sha256', 'base64')}`,
    ),
  )
  return { target: goMod(packages), additional: [`${lines.join('\n')}\n`] }
}

/** A go.mod with its vendor/modules.txt: four packages of each module. */
export function modulesTxt(packages: readonly SyntheticPackage[]): Manifest {
  const entries = packages.map((syntheticPackage) => {
    const path = moduleOf(syntheticPackage)
    const mark = syntheticPackage.isDirect ? '## explicit; go 1.20' : '## explicit'
    return [
      `# ${path} v0.${syntheticPackage.version.slice(2)}`,
      mark,
      path,
      `${path}/a`,
      `${path}/a/b`,
      `${path}/internal/c`,
    ].join('\n')
  })
  return { target: goMod(packages), additional: [`${entries.join('\n')}\n`] }
}

/** A gradle.lockfile without its build script. */
export function gradleLockfile(packages: readonly SyntheticPackage[]): Manifest {
  const head = '# This is a Gradle generated file for dependency locking.\n'
  const lines = packages.map(
    ({ name, version }) => `example.${name.replaceAll('-', '.')}:${name}:${version}=compileClasspath,runtimeClasspath`,
  )
  return { target: `${head}${lines.join('\n')}\nempty=annotationProcessor\n`, additional: [] }
}
