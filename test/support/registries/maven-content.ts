import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { MavenReader } from '#analysis/registries/maven.ts'
import { parseModuleMetadata } from '#scanning/registries/maven/module-metadata.ts'
import { type ShortPom, toPomXml } from './short-poms.ts'

/**
 * POMs of a repository by `group:artifact:version`: in short, as the text that is served, or `unreachable`. `module` is
 * Gradle's metadata beside it, or `unreachable`.
 */
export type MavenContent = Readonly<Record<string, (ShortPom & { readonly module?: object | string }) | string>>

/** A repository with that content; its metadata lists the versions there are, in their order. */
export function mavenReaderOf(content: MavenContent): MavenReader {
  return {
    async pom({ group, artifact, version }) {
      const name = `${group}:${artifact}:${version}`
      const text = textOf(content, name)
      return text === undefined ? undefined : { text, repository: 'https://registry.example' }
    },
    async module({ group, artifact, version }) {
      const entry = content[`${group}:${artifact}:${version}`]
      const module = typeof entry === 'object' ? entry.module : undefined
      if (module === 'unreachable') throw new RegistryUnreachable('down')
      if (module === undefined) return undefined
      return parseModuleMetadata(Buffer.from(typeof module === 'string' ? module : JSON.stringify(module)))
    },
    async versions({ group, artifact }) {
      const prefix = `${group}:${artifact}:`
      const names = Object.keys(content).filter((name) => name.startsWith(prefix))
      if (names.some((name) => content[name] === 'unreachable')) throw new RegistryUnreachable('down')
      const versions = names.map((name) => name.slice(prefix.length))
      const [latest, release] = [versions.at(-1), versions.findLast((version) => !version.endsWith('-SNAPSHOT'))]
      if (latest === undefined) return undefined
      return { versions, latest, ...(release === undefined ? {} : { release }) }
    },
  }
}

const MARK = 'do_not_remove: published-with-gradle-metadata'

/** Returns the content served under these coordinates. Throws for `unreachable`. */
export function textOf(content: MavenContent, name: string): string | undefined {
  const entry = Object.hasOwn(content, name) ? content[name] : undefined
  if (entry === 'unreachable') throw new RegistryUnreachable('down')
  if (typeof entry !== 'object') return entry
  return entry.module === undefined ? toPomXml(name, entry) : `${toPomXml(name, entry)}<!-- ${MARK} -->`
}
