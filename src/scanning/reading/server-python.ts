import { defaultPythonTarget, type PythonTarget } from '#analysis/ecosystems/python-target.ts'
import type { Config } from '#foundation/config.ts'

/** The Python that projects are tested for where neither the request nor a file of the project names one. */
export function serverPython({ pythonVersion, pythonPlatform }: Config): PythonTarget {
  const platform = { platform: pythonPlatform }
  if (pythonVersion === undefined) return { ...defaultPythonTarget, ...platform }
  return { version: pythonVersion, basis: 'setting', ...platform }
}
