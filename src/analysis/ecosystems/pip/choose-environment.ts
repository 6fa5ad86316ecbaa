import type { Unresolved } from '../../dependency-graph.ts'
import { type AskedPackages, toAskedPackages } from './asked-packages.ts'
import { type PythonEnvironment, type PythonTarget, toEnvironment } from './environment.ts'
import type { ProjectFiles } from './project-files.ts'
import { allowsPython, type DeclaredPython } from './python-of-files.ts'
import { targetName } from './walk-files.ts'

/** The newest first. */
const known = ['3.14', '3.13', '3.12', '3.11', '3.10', '3.9', '3.8', '3.7', '3.6', '3.5', '3.4', '2.7']

export interface AskedOn {
  readonly environment: PythonEnvironment
  readonly asked: AskedPackages
  /** Files that are mostly for other Pythons than the one that was to be taken. */
  readonly unresolved: readonly Unresolved[]
}

interface Trial {
  readonly environment: PythonEnvironment
  readonly asked: AskedPackages
}

/**
 * What the files ask for, and on which Python. The one that the request names counts; else what files beside the
 * requirements say; else the server's setting; else, where most of the files is for other Pythons than the default one, the
 * newest for which most of it is. A range leaves the choice within it.
 */
export function askOn(target: PythonTarget, files: ProjectFiles): AskedOn {
  const basis = target.basis ?? 'request'
  if (basis === 'request') return { ...askFor(target, files), unresolved: [] }
  const { declared } = files
  const allowed = known.filter((version) => declared === undefined || allowsPython(declared, version))
  const wanted = wantedVersion(target, declared, allowed)
  const given = askFor({ ...target, version: wanted }, files)
  if (!mayBeForOthers(given)) return { ...given, unresolved: [] }
  const all = known.map((version) => askFor({ ...target, version }, files))
  const best = mostAsked([given, ...all])
  if (!isMostlyFor(best, given)) return { ...given, unresolved: [] }
  const isFree = declared === undefined ? basis === 'default' : declared.version === undefined
  const choices = all.filter(({ environment }) => isFree && allowed.includes(environment.target.version))
  const chosen = mostAsked([given, ...choices])
  return { ...chosen, unresolved: isMostlyFor(best, chosen) ? [toUnresolved(best, chosen)] : [] }
}

function wantedVersion(target: PythonTarget, declared: DeclaredPython | undefined, allowed: readonly string[]): string {
  if (declared === undefined) return target.version
  if (declared.version !== undefined) return declared.version
  return allowsPython(declared, target.version) ? target.version : (allowed[0] ?? target.version)
}

function askFor(target: PythonTarget, files: ProjectFiles): Trial {
  const environment = toEnvironment(target)
  return { environment, asked: toAskedPackages(files, environment.markers) }
}

/** More is left out than taken; whether the Python is the reason is known when others are tried. */
function mayBeForOthers({ asked }: Trial): boolean {
  return asked.forOthers > countOf({ asked })
}

/** Most of what the one asks for is not asked for by the other. */
function isMostlyFor(best: Trial, other: Trial): boolean {
  return countOf(best) > 2 * countOf(other)
}

function countOf({ asked }: Pick<Trial, 'asked'>): number {
  return new Set(asked.direct.map(({ requirement }) => requirement.project)).size
}

/** The first of those that ask for the most. */
function mostAsked([first, ...others]: readonly [Trial, ...Trial[]]): Trial {
  return others.reduce((best, each) => (countOf(each) > countOf(best) ? each : best), first)
}

function toUnresolved(best: Trial, chosen: Trial): Unresolved {
  const [wanted, python] = [best, chosen].map(({ environment }) => environment.target.version)
  const reason = `${countOf(best)} of these packages are for Python ${wanted}, and only ${countOf(chosen)} for Python ${python}, for which the files were tested. Name the Python in the request (pythonVersion), or correct the file or the setting (GATEHOUSE_PYTHON_VERSION) that names another one.`
  return { name: targetName, range: '', code: 'other-environment', reason, requiredBy: targetName }
}
