import type { PythonTarget } from '#analysis/ecosystems/python-target.ts'
import type { MarkerEnvironment } from './marker.ts'

/** A CPython interpreter on a system. */
export interface PythonEnvironment {
  readonly target: PythonTarget
  readonly major: number
  readonly minor: number
  /** E.g. `3.13.1`. */
  readonly fullVersion: string
  readonly markers: MarkerEnvironment
}

/** Stands for the newest patch of a version without one. */
const NEWEST_PATCH = '99'

const systems = {
  linux: { os: 'posix', platform: 'linux', system: 'Linux', machine: 'x86_64', release: '6.12.0', version: '#1 SMP' },
  macos: {
    os: 'posix',
    platform: 'darwin',
    system: 'Darwin',
    machine: 'arm64',
    release: '24.6.0',
    version: 'Darwin Kernel Version 24.6.0',
  },
  windows: { os: 'nt', platform: 'win32', system: 'Windows', machine: 'AMD64', release: '11', version: '10.0.26100' },
} as const

/** Returns the environment of markers: CPython, on x86-64 for Linux and Windows, on ARM for macOS. */
export function toEnvironment(target: PythonTarget): PythonEnvironment {
  const [major = '3', minor = '0', patch = NEWEST_PATCH] = target.version.split('.')
  const fullVersion = `${major}.${minor}.${patch}`
  const { os, platform, system, machine, release, version } = systems[target.platform]
  return {
    target,
    major: Number(major),
    minor: Number(minor),
    fullVersion,
    markers: {
      implementation_name: 'cpython',
      implementation_version: fullVersion,
      os_name: os,
      platform_machine: machine,
      platform_python_implementation: 'CPython',
      platform_release: release,
      platform_system: system,
      platform_version: version,
      python_full_version: fullVersion,
      python_version: `${major}.${minor}`,
      sys_platform: platform,
    },
  }
}

export function describeTarget({ version, platform }: PythonTarget): string {
  return `Python ${version} on ${{ linux: 'Linux', macos: 'macOS', windows: 'Windows' }[platform]}`
}
