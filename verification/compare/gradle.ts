import { existsSync } from 'node:fs'
import path from 'node:path'
import { gradle } from '../../src/analysis/ecosystems/jvm/gradle/index.ts'
import type { Registries } from '../../src/analysis/registries/registries.ts'
import {
  type Compared,
  type CompareSettings,
  type Comparison,
  firstOf,
  needsProjects,
  needsRegistries,
} from './comparison.ts'
import { readerOfAnswers } from './maven-answers.ts'
import { projectsIn, readManifest, readText } from './projects.ts'

const options = { includeDev: false, repositories: [], limits: { maxNodes: 50_000 } }

/** The versions in the locks of real modules, against our resolution with only the direct dependencies pinned. */
export function gradleComparisons(settings: CompareSettings): Comparison[] {
  return [
    {
      ecosystem: 'gradle',
      what: 'versions below pinned ones',
      reference: 'dependencies.lock of the projects',
      missing: firstOf(needsProjects('gradle'), needsRegistries(settings)),
      async run() {
        const registries = { maven: readerOfAnswers(undefined) } as Registries
        const compared: Compared[] = []
        const root = path.join(settings.manifests, 'gradle')
        for (const folder of projectsIn(root).map((project) => path.join(root, project)))
          for (const module of projectsIn(folder))
            if (['dependencies.lock', 'build.gradle'].every((file) => existsSync(path.join(folder, module, file))))
              compared.push(await againstLock(folder, module, registries))
        return compared
      },
    },
  ]
}

interface LockedModule {
  readonly locked?: string
  /** A project of the same build. */
  readonly project?: boolean
  readonly transitive?: readonly string[]
}

async function againstLock(folder: string, module: string, registries: Registries): Promise<Compared> {
  const lock = JSON.parse(readText(folder, path.join(module, 'dependencies.lock')))
  const entries = Object.entries<LockedModule>(lock.runtimeClasspath ?? lock.runtime ?? {})
  const locked = entries.filter(([, about]) => about.locked)
  const direct = locked.filter(([, { transitive }]) => transitive === undefined)
  const pins = direct.map(([name, about]) => `${name}:${about.locked}=runtimeClasspath`)
  const projects = entries
    .filter(([, about]) => about.project)
    .map(([name]) => path.join(name.split(':')[1]!, 'build.gradle'))
  const files = [path.join(module, 'build.gradle'), 'build.gradle', 'gradle.properties', ...projects]
  const manifest = readManifest(
    folder,
    files.filter((file) => existsSync(path.join(folder, file))),
  )
  const gradleLock = ['# This is a Gradle generated file for dependency locking.', ...pins].join('\n')
  const sent = { ...manifest, additional: [...manifest.additional, gradleLock] }
  const { graph } = await gradle.read(sent, registries, options)
  const own = new Map(graph.nodes.slice(1).map((node) => [node.package.name, node.package.version]))
  const onlyTheirs = locked
    .filter(([name, about]) => own.get(name) !== about.locked)
    .map(([name, { locked: version, transitive }]) =>
      own.has(name)
        ? `${name}: locked ${version}, ours ${own.get(name)}`
        : `${name}: only locked, by ${transitive?.join(', ').slice(0, 120)}`,
    )
  const packages = locked.filter(([name]) => own.has(name)).length
  return { project: module, files: 1, packages, lines: locked.length, onlyOurs: [], onlyTheirs }
}
