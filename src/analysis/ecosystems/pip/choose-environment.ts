import { type AskedPackages, toAskedPackages } from './asked-packages.ts'
import { type PythonEnvironment, type PythonTarget, toEnvironment } from './environment.ts'
import type { ProjectFiles } from './project-files.ts'

/** The newest first. */
const known = ['3.14', '3.13', '3.12', '3.11', '3.10', '3.9', '3.8', '3.7', '3.6', '3.5', '2.7']

/**
 * What the files ask for on the given Python. Files that were exported for one version ask for nothing on others: unless
 * the request names one, the newest version is taken for which they ask for the most.
 */
export function askOn(
  target: PythonTarget,
  files: ProjectFiles,
): { environment: PythonEnvironment; asked: AskedPackages } {
  const given = askFor(target, files)
  if (target.isAssumed !== true || given.asked.direct.length > 0 || given.asked.forOthers === 0) return given
  const all = known.map((version) => askFor({ ...target, version }, files))
  return all.reduce((best, each) => (each.asked.direct.length > best.asked.direct.length ? each : best), given)
}

function askFor(target: PythonTarget, files: ProjectFiles) {
  const environment = toEnvironment(target)
  return { environment, asked: toAskedPackages(files, environment.markers) }
}
