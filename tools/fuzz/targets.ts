import type { Target } from './input.ts'
import { manifestTargets } from './manifest-targets.ts'
import { recordTargets } from './record-targets.ts'
import { registryTargets } from './registry-targets.ts'
import { versionTargets } from './version-targets.ts'

/** Every parser of untrusted text. */
export function listTargets(): Target[] {
  return [...manifestTargets, ...registryTargets, ...recordTargets, ...versionTargets].flatMap((make) => make())
}
