import { graphTargets } from './graph-targets.ts'
import type { Target } from './input.ts'
import { manifestTargets } from './manifest-targets.ts'
import { pythonTargets } from './python-targets.ts'
import { recordTargets } from './record-targets.ts'
import { registryTargets } from './registry-targets.ts'
import { versionTargets } from './version-targets.ts'

/** Every parser of untrusted text. */
export function listTargets(): Target[] {
  return [
    ...manifestTargets,
    ...graphTargets,
    ...registryTargets,
    ...pythonTargets,
    ...recordTargets,
    ...versionTargets,
  ].flatMap((make) => make())
}
