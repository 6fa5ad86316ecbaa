import type { Engine } from '#foundation/db/database.ts'
import { startApp } from '../servers/app.ts'
import type { MavenContent } from './maven-content.ts'
import { startMavenRepository } from './maven-repository.ts'

/** A server that uses a repository with the given content, and a second repository with more content. */
export async function startMavenApp(engine: Engine, content: MavenContent, more: MavenContent) {
  const repository = await startMavenRepository(content)
  const other = await startMavenRepository({ ...more, ...content })
  const app = await startApp(engine, {
    GATEHOUSE_MAVEN_REPOSITORIES: repository.url,
    GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1',
    GATEHOUSE_TEST_WORKERS: '1',
    registryMaxAgeMinutes: 0,
  })
  return {
    app,
    repository,
    other,
    async close() {
      await app.close()
      await repository.close()
      await other.close()
    },
  }
}
