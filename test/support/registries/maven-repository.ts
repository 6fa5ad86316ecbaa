import { type MavenContent, textOf } from './maven-content.ts'
import { startRegistryServer } from './registry-server.ts'

/** A Maven repository on loopback with that content. */
export function startMavenRepository(content: MavenContent) {
  const files = toFiles(content)
  return startRegistryServer((request, response) => {
    const text = files.get(request.url!)
    return text === undefined
      ? response.writeHead(404).end()
      : response.writeHead(200, { 'content-type': 'text/xml' }).end(text)
  })
}

function toFiles(content: MavenContent): Map<string, string> {
  const files = new Map<string, string>()
  const names = Object.keys(content).map((name) => name.split(':'))
  for (const [group = '', artifact = '', version = ''] of names) {
    const folder = `/${group.replaceAll('.', '/')}/${artifact}`
    const versions = names
      .filter((coordinates) => coordinates[0] === group && coordinates[1] === artifact)
      .map((coordinates) => `<version>${coordinates[2]}</version>`)
    files.set(`${folder}/${version}/${artifact}-${version}.pom`, textOf(content, `${group}:${artifact}:${version}`)!)
    files.set(
      `${folder}/maven-metadata.xml`,
      `<metadata><versioning><versions>${versions.join('')}</versions></versioning></metadata>`,
    )
  }
  return files
}
