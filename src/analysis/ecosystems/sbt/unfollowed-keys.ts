import type { Unresolved } from '../../dependency-graph.ts'
import { addsPackages } from './adding-plugins.ts'
import type { Build, OwnedProject } from './build.ts'
import { toUnresolved } from './unresolved.ts'
import { toUnknown } from './values.ts'

/** Keys whose jars come from no repository (sbt's unmanaged dependencies). */
const JARS = ['unmanagedJars', 'unmanagedBase', 'unmanagedClasspath']
/** Keys that add dependencies where only sbt itself puts them together. */
const OTHERS =
  'ivyXML allDependencies projectDependencies externalDependencyClasspath internalDependencyClasspath dependencyClasspath ' +
  'managedClasspath fullClasspath'

/** Names what is set in a project that the reading does not follow, and plugins that are known to add packages. */
export function findUnfollowed({ axis, project }: OwnedProject, { settings }: Build): Unresolved[] {
  const named = (name: string, code: Unresolved['code'], reason: string) =>
    settings.placesOf(axis, name).map((place) => ({ ...toUnresolved(toUnknown('', place), name), code, reason }))
  const jars = 'Jars that the build itself names are not looked into'
  const others = 'What it adds is only known by running the build'
  const plugins = project.plugins
    .filter(addsPackages)
    .map((name) =>
      toUnresolved(
        toUnknown('this plugin adds packages of its own', project.place ?? { file: 'target', line: 1 }),
        `plugin ${name}`,
      ),
    )
  return [
    ...JARS.flatMap((name) => named(name, 'not-from-registry', jars)),
    ...OTHERS.split(' ').flatMap((name) => named(name, 'not-static', others)),
    ...plugins,
  ]
}
