import { accessSync, constants, statSync } from 'node:fs'
import type { Config } from '#foundation/config.ts'
import { isFolder } from '#foundation/make-folder.ts'

/**
 * Returns the faults of settings that name a folder or a program which is not there, so that a wrong path is reported
 * before the first sync or import needs it. Names without a slash and URLs are for those who use them to find.
 */
export function findMissingPaths({ localRepositories, advisoriesUrl, git }: Config): string[] {
  const faults = localRepositories
    .filter((folder) => !isFolder(folder))
    .map((folder) => `GATEHOUSE_LOCAL_REPOSITORIES names ${folder}, which is not a folder: create it or leave it out`)
  if (!URL.canParse(advisoriesUrl) && !isFolder(advisoriesUrl))
    faults.push(
      `GATEHOUSE_ADVISORIES_URL names ${advisoriesUrl}, which is not a folder: create it, give the URL of a source, or leave the setting out`,
    )
  if (git.includes('/') && !isProgram(git))
    faults.push(
      `GATEHOUSE_GIT names ${git}, which is not a program that can be run: give the path of git, or leave the setting out`,
    )
  return faults
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
