import type { Config } from '#foundation/config.ts'
import { isFolder } from '#foundation/make-folder.ts'

/**
 * Returns the faults of settings that name a missing folder, so that a wrong path is reported at the start
 * and not at the first sync or import. URLs are not checked here.
 */
export function findMissingPaths({ localRepositories, advisoriesUrl }: Config): string[] {
  const faults = localRepositories
    .filter((folder) => !isFolder(folder))
    .map(
      (folder) =>
        `GATEHOUSE_LOCAL_REPOSITORIES names ${folder}, which is not a folder. Create it or remove it from the setting`,
    )
  if (!URL.canParse(advisoriesUrl) && !isFolder(advisoriesUrl))
    faults.push(
      `GATEHOUSE_ADVISORIES_URL names ${advisoriesUrl}, which is not a folder. Create it, set the URL of a source, or remove the setting`,
    )
  return faults
}
