import type { PomSource } from './coordinates.ts'
import type { PomReads } from './pom-reads.ts'
import type { SentPoms } from './sent-poms.ts'

/** Prefers sent POMs over published ones, as Maven's reactor does. */
export function createPomSource(reads: PomReads, sent?: SentPoms): PomSource {
  return {
    async find(coordinates) {
      const own = sent?.find(coordinates)
      return own === undefined ? reads.pom(coordinates) : { pom: own }
    },
    async versions(group, artifact) {
      const answer = await reads.versions({ group, artifact })
      return 'code' in answer ? answer : answer.versions.versions
    },
  }
}
