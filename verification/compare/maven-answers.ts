import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { RegistryUnreachable } from '../../src/analysis/ecosystems/ecosystem.ts'
import type { MavenReader } from '../../src/analysis/registries/maven.ts'
import { getDefaultRegistryUrl } from '../../src/scanning/registries/default-registries.ts'
import { parseArtifactMetadata } from '../../src/scanning/registries/maven/maven-metadata.ts'
import { parseModuleMetadata } from '../../src/scanning/registries/maven/module-metadata.ts'
import { decodePom } from '../../src/scanning/registries/maven/pom-text.ts'

export const mavenBase = getDefaultRegistryUrl('maven')
const cache = path.join(tmpdir(), 'gatehouse-maven-answers')

/** Reads a local repository first, then the repository that Gatehouse asks by default; what it says is kept. */
export function readerOfAnswers(localRepository: string | undefined): MavenReader {
  return {
    async pom({ group, artifact, version }) {
      const file = `${group.replaceAll('.', '/')}/${artifact}/${version}/${artifact}-${version}.pom`
      const local = localRepository && (await readOrNothing(path.join(localRepository, file)))
      const bytes = local || (await fetchOnce(file))
      return bytes && { text: decodePom(bytes), repository: mavenBase }
    },
    async module({ group, artifact, version }) {
      const bytes = await fetchOnce(
        `${group.replaceAll('.', '/')}/${artifact}/${version}/${artifact}-${version}.module`,
      )
      return bytes && parseModuleMetadata(bytes)
    },
    async versions({ group, artifact }) {
      const bytes = await fetchOnce(`${group.replaceAll('.', '/')}/${artifact}/maven-metadata.xml`)
      return bytes && parseArtifactMetadata(bytes)
    },
  }
}

async function readOrNothing(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch(() => undefined)
}

async function fetchOnce(file: string): Promise<Buffer | undefined> {
  const kept = path.join(cache, createHash('sha256').update(file).digest('hex'))
  const existing = await readOrNothing(kept)
  if (existing !== undefined) return existing.length === 0 ? undefined : existing
  const answer = await fetch(`${mavenBase}/${file}`)
  if (!answer.ok && answer.status !== 404) throw new RegistryUnreachable(`answered ${answer.status}`)
  const bytes = answer.ok ? Buffer.from(await answer.arrayBuffer()) : Buffer.alloc(0)
  await mkdir(cache, { recursive: true })
  await writeFile(kept, bytes)
  return answer.ok ? bytes : undefined
}
