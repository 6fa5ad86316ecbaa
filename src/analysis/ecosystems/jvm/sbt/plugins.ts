import type { Unresolved } from '#analysis/dependency-graph.ts'
import type { Evaluation } from './evaluation.ts'
import { isQuietArtifact, NOT_KNOWN } from './known-plugins.ts'
import type { BuildFile } from './sent-files.ts'
import { flat, type Module, toUnknown, toUnresolved, type Value } from './values.ts'

export interface BuildPlugins {
  /** Packages that the build itself runs with. */
  readonly modules: readonly Module[]
  /** Plugins that may add packages to its projects. */
  readonly unresolved: readonly Unresolved[]
}

/** Reads `project/plugins.sbt` and similar files. */
export function readPlugins(plugins: readonly BuildFile[], evaluation: Evaluation): BuildPlugins {
  const values = plugins.flatMap(({ statements, file }) => {
    const scope = evaluation.open(statements, undefined, file)
    return statements.flatMap((statement) => {
      if (statement.kind === 'expression') return toAdded(evaluation.evaluate(statement.value, scope))
      return statement.kind === 'val' ? [...scope.names].flatMap((name) => projectSettings(scope.findOwn(name))) : []
    })
  })
  const modules = values.flatMap((value) => (value.kind === 'module' ? value.module : []))
  return {
    modules,
    unresolved: [
      ...modules.filter(({ isPlugin, name }) => isPlugin && !isQuietArtifact(name)).map(toUnknownPlugin),
      ...values.filter((value) => value.kind === 'unknown').map((value) => toUnresolved(value, 'plugins')),
    ],
  }
}

/** Returns the additions of a setting in the build's own build. Other keys only configure it. */
function toAdded(value: Value): readonly Value[] {
  if (value.kind === 'list') return value.items.flatMap(toAdded)
  if (value.kind !== 'setting') return value.kind === 'unknown' ? [value] : []
  const { key, read } = value.setting
  return key.name === 'libraryDependencies' ? flat(read()) : []
}

/** A project of the build's own build may depend on plugins that lie in other builds. */
function projectSettings(value: Value | undefined): readonly Value[] {
  return value?.kind === 'project' ? value.project.settings.flatMap(toAdded) : []
}

function toUnknownPlugin({ group, name, place }: Module): Unresolved {
  return toUnresolved(toUnknown(NOT_KNOWN, place), `plugin ${group}:${name}`)
}
