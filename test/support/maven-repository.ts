import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type MavenContent, textOf } from './maven-content.ts'

/** A Maven repository on loopback with that content. */
export async function startMavenRepository(content: MavenContent) {
  let status = 200
  const asked: string[] = []
  const files = toFiles(content)
  const server = createServer((request, response) => {
    asked.push(request.url!)
    const text = files.get(request.url!)
    if (status !== 200) return response.writeHead(status).end()
    return text === undefined
      ? response.writeHead(404).end()
      : response.writeHead(200, { 'content-type': 'text/xml' }).end(text)
  })
  // A test that fails before closing must not keep the process.
  server.unref()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    /** What every further request is answered with. */
    answerWith(code: number) {
      status = code
    },
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function toFiles(content: MavenContent): Map<string, string> {
  const files = new Map<string, string>()
  const names = Object.keys(content).map((name) => name.split(':'))
  for (const [group = '', artifact = '', version = ''] of names) {
    const folder = `/${group.replaceAll('.', '/')}/${artifact}`
    const versions = names
      .filter((each) => each[0] === group && each[1] === artifact)
      .map((each) => `<version>${each[2]}</version>`)
    files.set(`${folder}/${version}/${artifact}-${version}.pom`, textOf(content, `${group}:${artifact}:${version}`)!)
    files.set(
      `${folder}/maven-metadata.xml`,
      `<metadata><versioning><versions>${versions.join('')}</versions></versioning></metadata>`,
    )
  }
  return files
}
