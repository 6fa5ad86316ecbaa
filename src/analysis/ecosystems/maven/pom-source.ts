import type { PomSource } from './effective-pom.ts'
import type { PomReads } from './pom-reads.ts'
import type { SentPoms } from './sent-poms.ts'

/** What was sent goes before what is published, as in Maven's reactor. */
export function createPomSource(reads: PomReads, sent?: SentPoms): PomSource {
  return {
    async find(coordinates) {
      const own = sent?.find(coordinates)
      return own === undefined ? reads.pom(coordinates) : { pom: own }
    },
    async versions(group, artifact) {
      const answer = await reads.versions({ group, artifact })
      return 'code' in answer ? answer : answer.found.versions
    },
  }
}
