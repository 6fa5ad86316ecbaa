import { defaultPythonTarget, type PythonTarget } from '#analysis/ecosystems/python-target.ts'
import type { Config } from '#foundation/config.ts'

/** Returns the Python target of projects for which neither the request nor a project file names one. */
export function serverPython({ pythonVersion }: Config): PythonTarget {
  if (pythonVersion === undefined) return defaultPythonTarget
  return { ...defaultPythonTarget, version: pythonVersion, basis: 'setting' }
}
