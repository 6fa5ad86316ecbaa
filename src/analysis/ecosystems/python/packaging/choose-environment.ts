import type { Unresolved } from '#analysis/dependency-graph.ts'
import type { PythonTarget } from '#analysis/ecosystems/python-target.ts'
import { type PythonEnvironment, toEnvironment } from './environment.ts'
import { allowsPython, type DeclaredPython } from './python-of-files.ts'

/** Newest first. */
const pythonVersions = ['3.14', '3.13', '3.12', '3.11', '3.10', '3.9', '3.8', '3.7', '3.6', '3.5', '3.4', '2.7']

/** The packages that the files require in one environment. */
export interface EnvironmentReading {
  readonly environment: PythonEnvironment
  /** Number of packages. */
  readonly packages: number
  /** Number of packages that are only for other environments. */
  readonly forOthers: number
}

export interface EnvironmentChoices<R extends EnvironmentReading> {
  /** The Python named by the project's files. */
  readonly declared: DeclaredPython | undefined
  /** The file to report if it is mostly for other Pythons. */
  readonly file: string
  readFor(environment: PythonEnvironment): R
}

export interface Chosen<R extends EnvironmentReading> {
  readonly reading: R
  /** Files that are mostly for other Pythons than the chosen one. */
  readonly unresolved: readonly Unresolved[]
}

/**
 * Returns the reading for the chosen Python: the version of the request, else of the project's files, else of the
 * server's setting, else the default. If only the default or a range in the files decided, and most packages are for
 * other Pythons, chooses the newest allowed Python to which most of them apply.
 */
export function chooseEnvironment<R extends EnvironmentReading>(
  target: PythonTarget,
  { declared, file, readFor }: EnvironmentChoices<R>,
): Chosen<R> {
  const readOn = (version: string) => readFor(toEnvironment({ ...target, version }))
  const basis = target.basis ?? 'request'
  if (basis === 'request') return { reading: readOn(target.version), unresolved: [] }
  const allowed = pythonVersions.filter((version) => declared === undefined || allowsPython(declared, version))
  const requested = readOn(requestedVersion(target, declared, allowed))
  if (!mayBeForOthers(requested)) return { reading: requested, unresolved: [] }
  const all = pythonVersions.map(readOn)
  const best = mostPackages([requested, ...all])
  if (!isMostlyFor(best, requested)) return { reading: requested, unresolved: [] }
  const isFree = declared === undefined ? basis === 'default' : declared.version === undefined
  const choices = all.filter(({ environment }) => isFree && allowed.includes(environment.target.version))
  const chosen = mostPackages([requested, ...choices])
  return { reading: chosen, unresolved: isMostlyFor(best, chosen) ? [toUnresolved(file, best, chosen)] : [] }
}

function requestedVersion(
  target: PythonTarget,
  declared: DeclaredPython | undefined,
  allowed: readonly string[],
): string {
  if (declared === undefined) return target.version
  if (declared.version !== undefined) return declared.version
  return allowsPython(declared, target.version) ? target.version : (allowed[0] ?? target.version)
}

/** Returns true if more packages are skipped than taken, so that other Pythons are worth a try. */
function mayBeForOthers({ forOthers, packages }: EnvironmentReading): boolean {
  return forOthers > packages
}

/** Returns true if most packages of one reading are missing in the other. */
function isMostlyFor(best: EnvironmentReading, other: EnvironmentReading): boolean {
  return best.packages > 2 * other.packages
}

/** Returns the first of the readings with the most packages. */
function mostPackages<R extends EnvironmentReading>([first, ...others]: readonly [R, ...R[]]): R {
  return others.reduce((best, other) => (other.packages > best.packages ? other : best), first)
}

function toUnresolved(name: string, best: EnvironmentReading, chosen: EnvironmentReading): Unresolved {
  const [requested, python] = [best, chosen].map(({ environment }) => environment.target.version)
  const reason = `${best.packages} of these packages are for Python ${requested}, and only ${chosen.packages} for Python ${python}, for which the files were tested. Name the Python in the request (pythonVersion), or correct the file or the setting (GATEHOUSE_PYTHON_VERSION) that names another one.`
  return { name, range: '', code: 'other-environment', reason, requiredBy: name }
}
