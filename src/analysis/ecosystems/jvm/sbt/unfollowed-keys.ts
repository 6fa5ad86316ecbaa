import type { Unresolved } from '#analysis/dependency-graph.ts'
import type { Build, OwnedProject } from './build.ts'
import { findAdding } from './known-plugins.ts'
import { toUnknown, toUnresolved } from './values.ts'

/** Keys for jars outside of repositories (sbt's unmanaged dependencies). */
const JARS = ['unmanagedJars', 'unmanagedBase', 'unmanagedClasspath']
/** Keys whose dependencies only sbt can assemble. */
const OTHERS =
  'ivyXML allDependencies projectDependencies externalDependencyClasspath internalDependencyClasspath dependencyClasspath ' +
  'managedClasspath fullClasspath dependencyClasspathAsJars fullClasspathAsJars products exportedProducts ' +
  'exportedProductJars moduleSettings update updateFull'

/** Names what is set in a project that the reading does not follow, and plugins that may add packages. */
export function findUnfollowed({ axis, project }: OwnedProject, { settings }: Build): Unresolved[] {
  const reportKey = (name: string, code: Unresolved['code'], reason: string) =>
    settings.placesOf(axis, name).map((place) => ({ ...toUnresolved(toUnknown('', place), name), code, reason }))
  const jars = 'Jars that the build itself names are not looked into'
  const others = 'What it adds is only known by running the build'
  return [
    ...JARS.flatMap((name) => reportKey(name, 'not-from-registry', jars)),
    ...OTHERS.split(' ').flatMap((name) => reportKey(name, 'not-static', others)),
    ...project.plugins.flatMap((name) => findAdding(name, project.place ?? { file: 'target', line: 1 })),
  ]
}
