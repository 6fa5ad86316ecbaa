import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { operationsOf } from '#features/documentation/openapi-document.ts'
import { documentOfOperation } from '#features/documentation/operation-document.ts'
import { fillServerFacts } from '#features/documentation/server-facts.ts'
import { readConfig } from '#foundation/config.ts'
import { generate } from './build.ts'
import { describedInterface } from './reference-page.ts'

export interface StaticSite {
  /** The address of the server that the pages describe. */
  readonly baseUrl: string
  /** The path at which the files are served. */
  readonly pathPrefix: string
}

/** Builds files for any web server, with the default settings as facts. */
export async function buildStaticSite(folder: string, { baseUrl, pathPrefix }: StaticSite): Promise<void> {
  await generate(folder, { pathPrefix, data: { isStatic: true } })
  const facts = { ...readConfig({}), baseUrl }
  for (const path of globSync('**/*.html', { cwd: folder })) {
    writeFileSync(join(folder, path), fillServerFacts(readFileSync(join(folder, path), 'utf8'), facts))
  }
  const document = { ...describedInterface(), servers: [{ url: baseUrl }] }
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  mkdirSync(join(folder, 'operations'))
  for (const { operation } of operationsOf(document)) {
    const id = operation.operationId!
    writeFileSync(join(folder, `operations/${id}.json`), JSON.stringify(documentOfOperation(document, id)))
  }
}
